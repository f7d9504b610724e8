import FacilityAPI
import NIOCore
import NIOSSL
import Trust

/// A server on this machine that answers the first request of each connection with the same text; it speaks TLS where it has a certificate.
struct DoctorOrigin: Sendable {
    /// The most bytes of a request's head; a client of this server sends a few hundred.
    private static let limitBytes = 64 << 10

    /// The port the system gave it.
    let port: Int
    /// The text of every answer.
    let answer: String

    /// Listens on loopback while a closure runs.
    ///
    /// - Parameters:
    ///   - answer: the text of every answer.
    ///   - certificate: the server's certificate; `nil` for plain HTTP.
    ///   - body: the closure, which asks the server.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, and the system's error where no port is free.
    static func run<Value: Sendable>(
        answer: String,
        certificate: LeafCertificate?,
        _ body: (DoctorOrigin) async throws -> Value
    ) async throws -> Value {
        let message =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(answer.utf8.count)\r\nConnection: close\r\n\r\n"
            + answer
        return try await LoopbackServer.run(context: certificate.map(context)) { inbound, outbound in
            var received: [UInt8] = []
            for try await bytes in inbound {
                received += bytes.readableBytesView
                guard received.count < limitBytes else { return }
                guard received.suffix(4) == [13, 10, 13, 10] else { continue }
                return try await outbound.write(ByteBuffer(string: message))
            }
        } while: { port in
            try await body(DoctorOrigin(port: port, answer: answer))
        }
    }

    private static func context(_ leaf: LeafCertificate) throws -> NIOSSLContext {
        let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        let key = try NIOSSLPrivateKey(bytes: leaf.privateKeyDER, format: .der)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(key)
            )
        )
    }
}
