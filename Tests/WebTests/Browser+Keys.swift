/// Keys as a person presses them: the browser gets them from its driver and gives them to what has the focus.
extension Browser {
    /// What WebDriver calls the keys that write nothing (WebDriver 2 §17.4.2).
    private static let names = [
        "Tab": "\u{E004}", "Enter": "\u{E007}", "Shift": "\u{E008}", "Alt": "\u{E00A}", "Escape": "\u{E00C}",
        "Space": " ",
        "End": "\u{E010}", "Home": "\u{E011}", "ArrowLeft": "\u{E012}", "ArrowUp": "\u{E013}", "ArrowRight": "\u{E014}",
        "ArrowDown": "\u{E015}", "Delete": "\u{E017}",
    ]

    /// Presses keys one after the other; `Shift+Delete` holds the first while the second is pressed.
    func press(_ keys: String...) async throws {
        var actions: [[String: Any]] = []
        for key in keys {
            let held = key.count == 1 ? [key] : key.split(separator: "+").map(String.init)
            let values = held.map { Browser.names[$0] ?? $0 }
            actions += values.map { ["type": "keyDown", "value": $0] }
            actions += values.reversed().map { ["type": "keyUp", "value": $0] }
        }
        let source: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        try await post("actions", ["actions": [source]])
    }

    /// Types a text into what has the focus.
    func type(_ text: String) async throws {
        let actions = text.flatMap { character -> [[String: Any]] in
            [["type": "keyDown", "value": String(character)], ["type": "keyUp", "value": String(character)]]
        }
        let source: [String: Any] = ["type": "key", "id": "keyboard", "actions": actions]
        try await post("actions", ["actions": [source]])
    }

    /// Presses an element, as a pointer would.
    func click(_ selector: String) async throws {
        _ = try await run("document.querySelector(`\(selector)`).click()")
    }

    /// The text of an expression's value.
    func text(_ expression: String) async throws -> String {
        try await run("return String(\(expression))") as? String ?? ""
    }

    /// The value of the address's `q`.
    func query() async throws -> String { try await text("new URLSearchParams(location.search).get('q') ?? ''") }
}
