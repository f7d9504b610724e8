import Foundation

/// The variables that a program of a test gets: ours, without what would let the person who runs the tests change their outcome.
package enum HermeticEnvironment {
    /// The home of every program that is given no other: an empty directory, the same for the whole run, gone at its end.
    package static let home: String = {
        let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "inspect-home-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        atexit { try? FileManager.default.removeItem(atPath: HermeticEnvironment.home) }
        return path
    }()

    /// Our variables with these changes.
    ///
    /// What names a proxy, a configuration, a root or a folder of the user's never passes (`*_PROXY`, `INSPECT_*`, `XDG_*`, `others`); `HOME` is
    /// `home`; a program in Swift that crashes ends at once, without minutes of a backtrace.
    ///
    /// - Parameter changes: what is set, or taken away where it is nil.
    /// - Returns: the whole environment of the program.
    package static func variables(_ changes: [String: String?] = [:]) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment.filter { !isTheUsers($0.key.uppercased()) }
        variables["HOME"] = home
        variables["SWIFT_BACKTRACE"] = "enable=no"
        for (name, value) in changes { variables[name] = value }
        return variables
    }

    /// What else changes what a client trusts, keeps or prints.
    private static let others: Set<String> = [
        "DBUS_SESSION_BUS_ADDRESS", "NO_COLOR", "CURL_HOME", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "SSLKEYLOGFILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "GIT_SSL_CAINFO",
        "JAVA_TOOL_OPTIONS", "PYTHONPATH",
    ]

    private static func isTheUsers(_ name: String) -> Bool {
        name.hasSuffix("_PROXY") || name.hasPrefix("INSPECT_") || name.hasPrefix("XDG_")
            || others.contains(name)
    }
}
