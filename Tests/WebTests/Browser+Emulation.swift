import Foundation

/// What a person's machine may be like.
extension Browser {
    /// A window and its theme.
    struct Screen: Sendable, CustomStringConvertible {
        let name: String
        /// In CSS pixels.
        let width: Int
        let height: Int
        let isDark: Bool

        var description: String { name }

        static let desktop = Screen(name: "desktop", width: 1280, height: 800, isDark: false)
        static let darkDesktop = Screen(name: "desktop-dark", width: 1280, height: 800, isDark: true)
        static let phone = Screen(name: "phone", width: 360, height: 740, isDark: false)
        static let darkPhone = Screen(name: "phone-dark", width: 360, height: 740, isDark: true)
        static let wall = Screen(name: "4k", width: 3_840, height: 2_160, isDark: false)
        static let darkWall = Screen(name: "4k-dark", width: 3_840, height: 2_160, isDark: true)
    }

    /// Gives the page a screen, until another is given.
    func emulate(_ screen: Screen) async throws {
        try await devTools(
            "Emulation.setDeviceMetricsOverride",
            ["width": screen.width, "height": screen.height, "deviceScaleFactor": 1, "mobile": false]
        )
        try await devTools(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": screen.isDark ? "dark" : "light"],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ]
        )
    }

    /// Presses a key as a person does: where the focus is.
    ///
    /// - Parameters:
    ///   - key: a character, or a key of WebDriver 2 §17.4.2 such as `.tab`.
    ///   - times: how often.
    /// - Throws: `Failure` when the browser will not.
    func press(_ key: Key, times: Int = 1) async throws {
        let strokes = (0..<times).flatMap { _ in
            [["type": "keyDown", "value": key.rawValue], ["type": "keyUp", "value": key.rawValue]]
        }
        try await post("actions", ["actions": [["type": "key", "id": "keys", "actions": strokes] as [String: Any]]])
    }

    /// Keys that are no character.
    enum Key: String {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case down = "\u{E015}"
        case question = "?"
    }
}
