import Support

/// A TLS server that is openssl's own, set up as a test says; it answers every request with a page about the connection.
final class OpenSSLServer: Sendable {
    let port: Int
    private let process: RunningProcess

    /// Starts it on a free port with the good certificate.
    ///
    /// - Parameter options: of `openssl s_server`.
    /// - Throws: when it does not start.
    init(_ options: [String]) async throws {
        let files = Certificates.server("good")
        let start = ["s_server", "-accept", "127.0.0.1:0", "-cert", files.certificateFile, "-key", files.keyFile]
        process = try RunningProcess(try CommandLineTool.find("openssl"), start + options)
        let line = try await process.line(containing: "ACCEPT")
        port = Int(line.split(separator: ":").last ?? "") ?? 0
    }
}
