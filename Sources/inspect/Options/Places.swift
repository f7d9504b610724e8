import Foundation

/// Where this user's captures and certificates live by default.
struct Places: Sendable {
    /// `inspect` under `$XDG_DATA_HOME`, or under `~/.local/share` (XDG Base Directory Specification; a relative value is ignored, as it asks).
    let directory: String
    /// The store that commands use when `--store` names none: `$INSPECT_STORE`, else `captures.db` in `directory`.
    let store: String
    /// The store of `inspect demo`, which is not mixed with what is recorded, and which no proxy writes: `demo.db` in `directory`.
    let demonstration: String
    /// The certificate directory that commands use when `--ca-directory` names none: `$INSPECT_CA_DIRECTORY`, else `ca` in `directory`.
    let certificates: String

    /// Reads the places from an environment.
    ///
    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - home: the user's home directory, used where `XDG_DATA_HOME` is absent.
    init(environment: [String: String], home: String) {
        let shared = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
        directory = shared + "/inspect"
        func named(_ variable: String) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
        demonstration = directory + "/demo.db"
        store = named("INSPECT_STORE") ?? directory + "/captures.db"
        certificates = named("INSPECT_CA_DIRECTORY") ?? directory + "/ca"
    }

    /// The places of the user who runs this process.
    static var current: Places {
        let environment = ProcessInfo.processInfo.environment
        return Places(
            environment: environment,
            home: environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        )
    }
}
