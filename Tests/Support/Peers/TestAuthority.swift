/// A certificate authority of one test: a root and the servers' certificates that it signs, made with openssl.
///
/// It is openssl's and not ours, so that what our own code accepts is judged by somebody else's certificates.
package final class TestAuthority: Sendable {
    /// The root's certificate as a PEM file.
    package let rootFile: String
    private let keyFile: String
    private let directory: TemporaryDirectory

    /// Makes the root.
    package init() async throws {
        directory = try TemporaryDirectory()
        rootFile = directory.file("root.pem")
        keyFile = directory.file("root.key")
        try await Self.openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "9",
            "-sha256",
            "-subj", "/CN=Test authority", "-addext", "basicConstraints=critical,CA:TRUE",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-keyout", keyFile, "-out", rootFile,
        ])
    }

    /// Makes a server's certificate.
    ///
    /// - Parameters:
    ///   - names: what it is for, the first also its subject; one that is all digits and dots, or has a colon, is an IP address.
    ///   - isNamedInSubjectOnly: leaves the alternative names out, which no client should take (RFC 9525 §6.3).
    ///   - protocols: what a server with it offers by ALPN.
    /// - Returns: the files, which last as long as this authority.
    /// - Throws: `Refused` with what openssl said.
    package func issue(
        for names: [String],
        isNamedInSubjectOnly: Bool = false,
        protocols: [String] = ["http/1.1"]
    ) async throws -> LoopbackOrigin.TLS {
        let name = names.first ?? "nobody"
        let stem = directory.file(
            "leaf-\(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }.map(String.init).joined())"
        )
        let request = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-subj", "/CN=\(name)"]
        try await Self.openssl(["req"] + request + ["-keyout", stem + ".key", "-out", stem + ".csr"])
        let alternatives = names.map { (Self.isAddress($0) ? "IP:" : "DNS:") + $0 }.joined(separator: ",")
        try directory.write(
            (isNamedInSubjectOnly ? "" : "subjectAltName=\(alternatives)\n")
                + "extendedKeyUsage=serverAuth\nbasicConstraints=CA:FALSE\n",
            to: "extensions"
        )
        try await Self.openssl([
            "x509", "-req", "-in", stem + ".csr", "-CA", rootFile, "-CAkey", keyFile, "-CAcreateserial", "-days", "9",
            "-sha256",
            "-extfile", directory.file("extensions"), "-out", stem + ".pem",
        ])
        return LoopbackOrigin.TLS(certificateFile: stem + ".pem", keyFile: stem + ".key", protocols: protocols)
    }

    private static func isAddress(_ name: String) -> Bool {
        name.contains(":") || name.allSatisfy { $0.isNumber || $0 == "." }
    }

    private static func openssl(_ arguments: [String]) async throws {
        let result = try await CommandLineTool.run("openssl", arguments)
        guard result.status == 0 else { throw Refused(reason: result.errors) }
    }

    /// openssl would not do it.
    package struct Refused: Error, CustomStringConvertible {
        package let reason: String
        package var description: String { "openssl: \(reason)" }
    }
}
