import Foundation
import Trust

/// The files by which the runtimes of a started command trust the root, beside the roots that this machine trusts anyway.
///
/// They are in the directory `clients` beside the root, compared at each use with what they are made of and written where they differ: programs that
/// run read them, and commands that start at the same time share them.
struct ClientTrust: Sendable {
    /// The root alone, PEM.
    let rootPath: String
    /// This machine's roots and ours, PEM.
    let bundlePath: String
    /// What wget reads in place of `~/.wgetrc`: that file's own lines, then where the bundle is.
    let wgetPath: String
    /// What Node before 24 runs first.
    let nodePath: String
    /// The bundle as the JDK reads it.
    let javaPath: String
    /// Whether no roots of this machine were found, so that the bundle holds ours alone.
    let isAlone: Bool

    /// Where systems keep the roots that they trust: Debian, Fedora, openSUSE, Alpine and macOS.
    private static let systemBundles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]

    /// When the bundle's certificates are said to have been added: always the same, so that the file is another only when they are.
    private static let added = Date(timeIntervalSince1970: 0)

    /// Writes the files.
    ///
    /// - Parameters:
    ///   - authority: whose root is to be trusted; it is made when there is none yet.
    ///   - environment: this process's variables: a bundle that they name stands in for the system's, and `HOME` has wget's file.
    /// - Throws: `TrustError`, `InputError` when a file cannot be written.
    init(authority: CAOptions, environment: [String: String]) throws {
        let root = try authority.openRoot()
        let directory = authority.files.directory + "/clients"
        rootPath = authority.files.certificatePath
        let bundle = directory + "/bundle.pem"
        bundlePath = bundle
        wgetPath = directory + "/wgetrc"
        nodePath = directory + "/node.cjs"
        javaPath = directory + "/roots.jks"

        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw InputError("cannot make \(directory): \(error.localizedDescription)")
        }
        let named = environment["SSL_CERT_FILE"].flatMap { $0 == bundle || $0.isEmpty ? nil : $0 }
        let system = ([named].compactMap { $0 } + Self.systemBundles).lazy.compactMap(Self.text).first
        isAlone = system == nil
        let roots = (system.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" } ?? "") + root.pem
        try Self.write(roots, to: bundlePath)
        let own = Self.text(environment["WGETRC"] ?? "").flatMap { _ in environment["WGETRC"] }
        let wget = own == wgetPath ? nil : Self.text(own ?? (environment["HOME"] ?? "") + "/.wgetrc")
        try Self.write((wget.map { $0 + "\n" } ?? "") + "ca_certificate = \(bundlePath)\n", to: wgetPath)
        try Self.write(NodePreload.script, to: nodePath)
        let certificates = PEMText.certificates(roots).map { Array($0) }
        try Self.write(JavaTrustStore.bytes(certificates: certificates, now: Self.added), to: javaPath)
    }

    private static func text(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        if FileManager.default.contents(atPath: path)?.elementsEqual(bytes) == true { return }
        let file = try OutputFile(path, mode: 0o644)
        try file.write(bytes)
        try file.finish()
    }
}
