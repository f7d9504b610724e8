import Foundation

/// Where this user's captures and certificates live by default.
struct Places: Sendable {
    /// `inspect` under `$XDG_DATA_HOME`, or under `~/.local/share` (XDG Base Directory Specification; a relative value is ignored, as it asks).
    let directory: String
    /// The store that commands use when `--store` names none: `$INSPECT_STORE`, else `captures.db` in `directory`.
    let store: String
    /// The certificate directory that commands use when `--ca-directory` names none.
    var certificates: String { directory + "/ca" }

    /// Reads the places from an environment.
    ///
    /// - Parameters:
    ///   - environment: the process's variables.
    ///   - home: the user's home directory, used where `XDG_DATA_HOME` is absent.
    init(environment: [String: String], home: String) {
        let shared = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
        directory = shared + "/inspect"
        if let named = environment["INSPECT_STORE"], !named.isEmpty {
            store = named
        } else {
            store = directory + "/captures.db"
        }
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
