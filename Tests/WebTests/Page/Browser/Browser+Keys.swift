/// Keys as a person presses them: what has the focus gets them.
extension Browser {
    /// What `KeyboardEvent` calls the keys that write nothing, with the numbers of old that the browser goes by.
    private static let named: [String: Int] = [
        "Tab": 9, "Enter": 13, "Shift": 16, "Alt": 18, "Escape": 27, "Space": 32, "End": 35, "Home": 36,
        "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Delete": 46,
    ]
    /// What of a key's event says which others are held.
    private static let modifiers = ["Alt": 1, "Shift": 8]

    /// Presses keys one after the other; `Shift+Delete` holds the first while the second is pressed.
    func press(_ keys: String..., times: Int = 1) async throws {
        for key in (0..<times).flatMap({ _ in keys }) {
            let held = key.count == 1 ? [key] : key.split(separator: "+").map(String.init)
            var modifiers = 0
            for key in held {
                modifiers |= Browser.modifiers[key] ?? 0
                try await stroke(key, isDown: true, modifiers)
            }
            for key in held.reversed() {
                modifiers &= ~(Browser.modifiers[key] ?? 0)
                try await stroke(key, isDown: false, modifiers)
            }
        }
    }

    /// Types a text into what has the focus.
    func type(_ text: String) async throws {
        for character in text {
            try await stroke(String(character), isDown: true, 0)
            try await stroke(String(character), isDown: false, 0)
        }
    }

    private func stroke(_ key: String, isDown: Bool, _ modifiers: Int) async throws {
        let text = key == "Enter" ? "\r" : key == "Space" ? " " : Browser.named[key] == nil ? key : ""
        var event: [String: Any] = [
            "type": isDown ? (text.isEmpty ? "rawKeyDown" : "keyDown") : "keyUp",
            "key": key == "Space" ? " " : key,
            "modifiers": modifiers,
        ]
        if isDown && !text.isEmpty { event["text"] = text }
        let ascii = key.uppercased().utf8.first.map(Int.init) ?? 0
        let isLetterOrDigit = key.utf8.count == 1 && (48...57 ~= ascii || 65...90 ~= ascii)
        if let number = Browser.named[key] ?? (isLetterOrDigit ? ascii : nil) {
            event["windowsVirtualKeyCode"] = number
            event["code"] =
                Browser.named[key] != nil ? key : ascii < 65 ? "Digit\(key)" : "Key\(key.uppercased())"
        }
        try await devTools("Input.dispatchKeyEvent", event)
    }

    /// Presses an element, as a pointer would.
    func click(_ selector: String) async throws {
        try await run("document.querySelector(`\(selector)`).click()")
    }

    /// The text of an expression's value.
    func text(_ expression: String) async throws -> String {
        try await run("return String(\(expression))") as? String ?? ""
    }

    /// The value of the address's `q`.
    func query() async throws -> String { try await text("new URLSearchParams(location.search).get('q') ?? ''") }
}
