import Traffic

/// The browsers that `inspect browser` opens, which take neither a proxy for loopback nor a root from their environment.
enum Browser: String, CaseIterable, Sendable {
    case chromium
    case firefox

    /// What each is called on Linux, in the order of preference, then where macOS has it.
    var programs: [String] {
        switch self {
        case .chromium:
            [
                "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
                "/Applications/Chromium.app/Contents/MacOS/Chromium",
                "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
            ]
        case .firefox: ["firefox-esr", "firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"]
        }
    }

    /// The browser that a program is; `nil` for any other.
    init?(program: String) {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        guard
            let found = Browser.allCases.first(where: { browser in
                browser.programs.contains { $0 == program || $0 == name }
            })
        else { return nil }
        self = found
    }

    /// The first of its programs that is on this machine.
    func program(path: String?) -> String? { programs.lazy.compactMap { ProgramFile.find($0, path: path) }.first }

    /// Words of a command that starts a browser, with what has it take the proxy for loopback too; those of any other command as they are.
    ///
    /// Says on standard error what `inspect run` cannot do for a browser.
    static func adapted(_ words: [String], to place: ProxyPlace) -> [String] {
        guard let name = words.first, let browser = Browser(program: name) else { return words }
        Console.remark(
            "inspect: \(VisibleText.line(name)) trusts only what its own certificate database holds: "
                + "'inspect browser \(browser.rawValue)' opens one that trusts the root, 'inspect ca install --browser' makes yours trust it"
        )
        return browser == .chromium ? [name] + chromiumProxy(place) + words.dropFirst() : words
    }

    /// What has Chromium send everything through a proxy, what is on this machine too.
    static func chromiumProxy(_ place: ProxyPlace) -> [String] {
        ["--proxy-server=http://\(place.authority)", "--proxy-bypass-list=<-loopback>"]
    }
}
