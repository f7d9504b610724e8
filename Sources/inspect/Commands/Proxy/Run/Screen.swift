/// Where the programs of a session show their windows.
enum Screen {
    /// Whether a session with these variables has one; macOS has one for every user who is logged in.
    static func isThere(_ environment: [String: String]) -> Bool {
        #if canImport(Darwin)
        true
        #else
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment[$0] ?? "").isEmpty }
        #endif
    }

    /// Whether a browser shows windows, by its own options and variables.
    static func isNeeded(by words: [String], _ environment: [String: String]) -> Bool {
        let windowless = ["--headless", "-headless", "--screenshot", "-screenshot"]
        let isHeadless = words.contains { word in windowless.contains { word == $0 || word.hasPrefix($0 + "=") } }
        return !isHeadless && environment["MOZ_HEADLESS"] == nil
    }
}
