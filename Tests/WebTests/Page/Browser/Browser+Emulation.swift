/// What a person's machine may be like, and what it shows.
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

        /// Every screen that the page has to fit.
        static let all = [desktop, darkDesktop, phone, darkPhone, wall, darkWall]
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
        // The page is laid out for it, and has had the chance to say so to its scripts.
        _ = try await result(of: "for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)")
    }
}
