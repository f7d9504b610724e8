import Foundation
import Traffic

/// A profile for one run of a browser: it trusts the root, sends everything through a proxy, and is gone afterwards.
///
/// The browser has a home of its own in it, so that nothing of the user's is read or changed; what is downloaded goes where it always goes.
struct BrowserProfile: Sendable {
    private let browser: Browser
    private let directory: String
    private let environment: [String: String]

    /// Makes the profile.
    ///
    /// - Parameters:
    ///   - browser: the browser that uses the profile.
    ///   - rootFile: the certificate to trust, PEM.
    ///   - environment: this process's variables.
    /// - Throws: `InputError` when it cannot be made.
    init(_ browser: Browser, trusting rootFile: String, environment: [String: String]) async throws {
        self.browser = browser
        self.environment = environment
        let place = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        directory = place.appending(path: "inspect-browser-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            for folder in ["/profile", "/home"] {
                try FileManager.default.createDirectory(atPath: directory + folder, withIntermediateDirectories: true)
            }
            try await NSSDatabase(certificateFolder).make(trusting: rootFile, environment: environment)
        } catch {
            remove()
            throw error
        }
    }

    /// Starts the browser and waits for its end.
    ///
    /// - Parameters:
    ///   - program: its file.
    ///   - more: what it is given beside what the profile needs: addresses, options of its own.
    ///   - place: the proxy.
    /// - Returns: the exit status; `nil` when it could not be started.
    /// - Throws: `InputError` when the profile cannot be written.
    func open(_ program: String, _ more: [String], through place: ProxyPlace) async throws -> Int32? {
        try write(preferences(place), to: preferencesFile)
        let arguments = [program] + options(place) + more
        return try await SpawnedCommand(arguments: arguments, environment: variables).run()
    }

    /// What the browser is started with: a home of its own, and no other proxy.
    private var variables: [String: String] {
        let variables = Self.variables(environment, home: directory + "/home")
        return browser == .firefox ? variables.merging(BrowserSilence.firefoxVariables) { $1 } : variables
    }

    /// Variables for a browser with a home of its own, without any that lead to the user's home or past our proxy.
    static func variables(_ environment: [String: String], home: String) -> [String: String] {
        var variables = environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"] { variables[name] = nil }
        // What lets a program onto the screen is looked for in the home, as after 'ssh -X'.
        let key = environment["HOME"].map { $0 + "/.Xauthority" }
        if variables["XAUTHORITY"] == nil, let key, FileManager.default.fileExists(atPath: key) {
            variables["XAUTHORITY"] = key
        }
        variables["HOME"] = home
        return variables
    }

    /// Takes it away.
    func remove() {
        // What the browser leaves running for a moment may write while the first pass removes.
        for _ in 0..<2 { try? FileManager.default.removeItem(atPath: directory) }
    }

    /// Where the browser looks for certificates.
    private var certificateFolder: String {
        directory + (browser == .chromium ? "/home/.pki/nssdb" : "/profile")
    }

    private var preferencesFile: String {
        directory + (browser == .chromium ? "/profile/Default/Preferences" : "/profile/user.js")
    }

    private func options(_ place: ProxyPlace) -> [String] {
        switch browser {
        case .chromium:
            // Chromium does not run as root in its sandbox.
            (getuid() == 0 ? ["--no-sandbox"] : []) + Browser.chromiumProxy(place) + [
                "--user-data-dir=\(directory)/profile", "--no-first-run", "--no-default-browser-check",
                "--password-store=basic",
            ] + BrowserSilence.chromium
        case .firefox: ["--profile", "\(directory)/profile", "--no-remote", "--new-instance"]
        }
    }

    private func preferences(_ place: ProxyPlace) -> String {
        let downloads = (environment["HOME"] ?? "") + "/Downloads"
        switch browser {
        case .chromium:
            return #"{"download": {"default_directory": \#(JSONWriter.quoted(downloads))}}"#
        case .firefox:
            let values: [(String, String)] =
                [
                    ("network.proxy.type", "1"), ("network.proxy.http", JSONWriter.quoted(place.host)),
                    ("network.proxy.http_port", "\(place.port)"),
                    ("network.proxy.ssl", JSONWriter.quoted(place.host)),
                    ("network.proxy.ssl_port", "\(place.port)"), ("network.proxy.no_proxies_on", #""""#),
                    // Without it, what is on this machine goes past the proxy.
                    ("network.proxy.allow_hijacking_localhost", "true"),
                    // Names are looked up by the proxy, not by a resolver of Firefox's own.
                    ("network.trr.mode", "5"), ("browser.download.dir", JSONWriter.quoted(downloads)),
                    ("browser.download.folderList", "2"), ("browser.shell.checkDefaultBrowser", "false"),
                    ("browser.startup.homepage_override.mstone", #""ignore""#),
                    ("datareporting.policy.dataSubmissionPolicyBypassNotification", "true"),
                    ("security.sandbox.warn_unprivileged_namespaces", "false"),
                ] + BrowserSilence.firefox
            return values.map { "user_pref(\"\($0)\", \($1));\n" }.joined()
        }
    }

    private func write(_ text: String, to path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw InputError("cannot make \(folder): \(error.localizedDescription)")
        }
        let file = try OutputFile(path)
        try file.write(Array(text.utf8))
        try file.finish()
    }
}
