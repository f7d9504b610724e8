import Traffic

/// A place where programs of this machine look for the roots they trust, and the commands that put ours there and take it away again.
struct MachineStore: Sendable {
    /// The kinds of places, each an option of `inspect ca install`.
    enum Kind: String, CaseIterable, Sendable {
        case system, browser, java
    }

    /// How to find out whether the place trusts a root.
    enum Probe: Sendable {
        /// A file of PEM holds what is trusted.
        case bundle(String)
        case nss(NSSDatabase, nickname: String)
        /// A file of the JDK, and the keytool that lists it.
        case keystore(String, keytool: String)
        /// macOS's keychains, asked of a certificate's file.
        case keychain(String)
    }

    let kind: Kind
    /// The place and the programs that look there, in words.
    let title: String
    let probe: Probe
    /// The files and folders that installing changes; uninstalling restores those that nothing else changed, byte for byte.
    let files: [String]
    /// Whether the files are the whole place, so that restoring them undoes an installation.
    var isWhole = true
    /// A folder that is made for the place, and removed where it did not exist before.
    var folder: String?
    /// The beginning of commands that change the place's files: `sudo ` or nothing.
    var prefix = ""
    let install: [String]
    /// The command that removes the root where the files cannot be restored; `@undo@` stands for a folder to write to.
    let uninstall: [String]
    /// What to know before installing there, a line each.
    var remarks: [String] = []
    /// The files of other roots of inspect's that come into it: what was there before may be without one of them.
    var others: [String] = []

    /// A name for a folder, the same at each use.
    var id: String {
        let place = folder ?? files.first ?? ""
        return kind.rawValue + (kind == .system ? "" : place.replacing("/", with: "-").replacing(" ", with: "_"))
    }

    /// Whether the place has a root to remove.
    func isInstalled(_ pem: String, environment: [String: String]) async throws -> Bool {
        switch probe {
        // Debian's JDK trusts what the system does, under another name; and under ours it may hold another root.
        case .keystore(let file, let keytool):
            try await JavaRuntime.named(in: file, keytool: keytool, environment: environment)
                .map { Set(PEM.certificates(pem)).isSubset(of: $0) } ?? false
        case .nss(let database, let nickname):
            try await database.holds(pem, nickname: nickname, environment: environment)
        case .bundle, .keychain: try await isTrusting(pem, environment: environment)
        }
    }

    /// Whether another root has the name that ours would get, so that it has to go first.
    func isNameTaken(environment: [String: String]) async throws -> Bool {
        guard case .keystore(let file, let keytool) = probe else { return false }
        return try await JavaRuntime.named(in: file, keytool: keytool, environment: environment) != nil
    }

    /// Whether programs that look there trust the root, whose certificate is given as PEM.
    func isTrusting(_ pem: String, environment: [String: String]) async throws -> Bool {
        switch probe {
        case .bundle(let path): return PEMFile(path: path).holds(pem)
        case .nss(let database, let nickname):
            return try await database.trusts(pem, nickname: nickname, environment: environment)
        case .keystore(let file, let keytool):
            return try await JavaRuntime.keystore(file, holds: pem, keytool: keytool, environment: environment)
        case .keychain(let file):
            let asked = ["security", "verify-cert", "-p", "ssl", "-c", file]
            return try await QuietCommand.ask(asked, environment: environment)?.isSuccess ?? false
        }
    }
}
