import ArgumentParser
import Foundation
import Traffic
import Trust

/// `inspect browser`: opens a browser with a clean profile that trusts the root, and records all its traffic.
struct BrowserCommand: AsyncParsableCommand, ConfiguredCommand, StartsProxy {
    static let configuration = CommandConfiguration(
        commandName: "browser",
        abstract: "Open a clean browser that goes through the proxy.",
        discussion: """
            It opens Chromium (or Chrome) or Firefox, whichever is named or found first, with a new profile that trusts the root. The profile is \
            deleted when the browser closes; your own is neither read nor changed. What the browser asks for by itself (updates, sign-in, telemetry) is \
            switched off. Requests to this machine go through the proxy too. The command \
            needs certutil (libnss3-tools). As root, Chromium runs without its sandbox, and a line says so.

            Examples:
              inspect browser
              inspect browser firefox https://example.com/
              inspect browser chromium --har page.har -- --incognito https://example.com/
            """
    )

    static var ports: ListenOptions.DefaultPorts { .any }

    @Option(help: ArgumentHelp("A query that selects which exchanges to count and to write.", valueName: "query"))
    var query: String?

    @Option(help: ArgumentHelp("Leave a recording of what was browsed.", valueName: "file"), completion: .file())
    var har: String?

    @OptionGroup(title: "Secrets") var redaction: RedactionOptions
    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions
    @OptionGroup(title: "Listening") var listening: ListenOptions
    @OptionGroup(title: "Listening") var script: PACOptions
    @OptionGroup(title: "Upstreams") var upstreams: UpstreamOptions
    @OptionGroup(title: "Rules") var ruling: RuleFileOptions
    @OptionGroup var serving: ServingOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup(title: "Limits") var decoding: DecodingOptions
    @OptionGroup(title: "Keeping") var keeping: KeepOptions
    @OptionGroup(title: "Log") var logging: LogOptions
    @OptionGroup var store: StoreOptions
    @OptionGroup var authority: CAOptions

    static var unconfigured: Set<String> { StartOptions.ofOneThatStays }

    @Argument(help: "chromium or firefox, then addresses to open, and after -- options of the browser's own.")
    var words: [String] = []

    func run() async throws {
        let environment = ProcessInfo.processInfo.environment
        let named = words.first.flatMap(Browser.init(rawValue:))
        let more = Array(named == nil ? words[...] : words.dropFirst())
        let found = (named.map { [$0] } ?? Browser.allCases).lazy.compactMap { browser in
            browser.program(path: environment["PATH"]).map { (browser, $0) }
        }.first
        guard let (browser, program) = found else {
            let what = named.map { "no \($0.rawValue)" } ?? "neither Chromium nor Firefox"
            let package = named == .firefox ? "firefox-esr" : "chromium"
            throw InputError("there is \(what) on this machine; install it, for example: sudo apt install \(package)")
        }
        guard Screen.isThere(environment) || !Screen.isNeeded(by: more, environment) else {
            throw InputError(
                "there is no display here for \(browser.rawValue); log in with 'ssh -X', or do without windows: "
                    + "inspect browser \(browser.rawValue) -- --headless https://example.com/"
            )
        }
        if browser == .chromium, getuid() == 0 {
            Console.remark("inspect: as root, Chromium runs without its sandbox; open only pages that you trust")
        }
        let authority = self.authority
        let status = try await ClientRun(options: options, query: query, har: har, redaction: redaction).run { place in
            let root = authority.signing(place)
            _ = try root.openRoot()
            let profile = try await BrowserProfile(
                browser,
                trusting: root.files.certificatePath,
                environment: environment
            )
            defer { profile.remove() }
            if let login = place.login {
                let user = VisibleText.line(login.user)
                Console.remark(
                    "inspect: the proxy asks the browser to log in: \(user), with the password of --proxy-auth"
                )
            }
            return try await profile.open(program, more, through: place)
        }
        throw ExitCode(status)
    }
}
