import Crypto
import Foundation
import Traffic

/// A certificate database of NSS, where Chromium (on Linux) and Firefox look for roots: `cert9.db` and `key4.db` in a folder.
struct NSSDatabase: Sendable, Equatable {
    /// The folder that holds the database.
    let folder: String

    init(_ folder: String) { self.folder = folder }

    /// The name of the database for tools.
    var name: String { "sql:" + folder }
    /// The files that change when a certificate is added.
    var files: [String] { ["cert9.db", "key4.db", "pkcs11.txt"].map { "\(folder)/\($0)" } }
    /// Whether the folder holds a database.
    var isThere: Bool { FileManager.default.fileExists(atPath: files[0]) }

    /// The databases of a user's browsers, as packages, snaps and flatpaks of them keep them.
    ///
    /// - Returns: the existing databases, and Chromium's own even before it exists, also that of an installed snap.
    static func all(environment: [String: String]) -> [NSSDatabase] {
        guard let home = environment["HOME"] else { return [] }
        let shared = environment["XDG_DATA_HOME"] ?? home + "/.local/share"
        let settings = environment["XDG_CONFIG_HOME"] ?? home + "/.config"
        let own = NSSDatabase(home + "/.pki/nssdb")
        // A snap has a home of its own, which is all that it sees.
        let snap = home + "/snap/chromium/current"
        let ofSnap = FileManager.default.fileExists(atPath: snap) ? [NSSDatabase(snap + "/.pki/nssdb")] : []
        let profiles = [
            home + "/.mozilla/firefox", settings + "/mozilla/firefox", home + "/snap/firefox/common/.mozilla/firefox",
            home + "/.var/app/org.mozilla.firefox/.mozilla/firefox",
        ].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
                .map { NSSDatabase("\(folder)/\($0)") }
        }
        return [own] + ofSnap + ([NSSDatabase(shared + "/pki/nssdb")] + profiles).filter(\.isThere)
    }

    /// Makes a database that trusts one root, in a folder that is made where it does not exist.
    ///
    /// - Throws: `InputError` when certutil is not on this machine, or refuses.
    func make(trusting rootFile: String, environment: [String: String]) async throws {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw InputError("cannot make \(folder): \(error.localizedDescription)")
        }
        for arguments in [
            ["-N", "--empty-password", "-d", name], ["-A", "-n", "inspect", "-t", "C,,", "-i", rootFile, "-d", name],
        ] {
            guard let made = try await QuietCommand.ask(["certutil"] + arguments, environment: environment) else {
                throw InputError(Self.certutilMissing)
            }
            guard made.isSuccess else {
                throw InputError("certutil cannot write \(folder): \(VisibleText.line(made.lastLine))")
            }
        }
    }

    /// Whether it holds a root, given as PEM, under a name, and sites may be vouched for by it.
    func trusts(_ pem: String, nickname: String, environment: [String: String]) async throws -> Bool {
        guard try await holds(pem, nickname: nickname, environment: environment) else { return false }
        let shown = try await QuietCommand.ask(
            ["certutil", "-L", "-n", nickname, "-d", name],
            environment: environment
        )
        guard let shown else { return false }
        guard shown.isSuccess else { throw unreadable(shown) }
        // Of several with one name each is shown with its fingerprint, and its flags behind that.
        let own = shown.output.components(separatedBy: Self.fingerprint(pem)).last
        let ofSites = own?.components(separatedBy: "SSL Flags:").dropFirst().first?.components(separatedBy: "Flags:")
            .first
        return ofSites?.contains("Trusted CA") ?? false
    }

    /// The SHA-256 of a certificate, as certutil shows it.
    private static func fingerprint(_ pem: String) -> String {
        SHA256.hash(data: PEM.certificates(pem).first ?? []).map { String(format: "%02X", $0) }
            .joined(separator: ":")
    }

    /// Whether it holds a root, given as PEM, under a name, trusted or not; another may have the same name, as one that was replaced on the same day.
    func holds(_ pem: String, nickname: String, environment: [String: String]) async throws -> Bool {
        guard isThere else { return false }
        let shown = try await QuietCommand.ask(
            ["certutil", "-L", "-n", nickname, "-a", "-d", name],
            environment: environment
        )
        guard let shown else { return false }
        guard shown.isSuccess else {
            // It fails as well where nothing has that name; then it lists the whole.
            let all = try await QuietCommand.ask(["certutil", "-L", "-d", name], environment: environment)
            if all?.isSuccess == true { return false }
            throw unreadable(shown)
        }
        let held = Set(PEM.certificates(shown.output))
        return PEM.certificates(pem).allSatisfy(held.contains)
    }

    private func unreadable(_ shown: QuietCommand.Outcome) -> InputError {
        InputError(VisibleText.line("certutil cannot read \(folder): \(shown.lastLine)"))
    }

    /// What to say where the tool is missing.
    static let certutilMissing = "certutil is not on this machine; install it: sudo apt install libnss3-tools"
}
