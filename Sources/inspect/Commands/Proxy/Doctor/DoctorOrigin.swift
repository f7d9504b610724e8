import FacilityAPI
import NIOCore
import NIOSSL
import Trust

/// A server on this machine that answers the first request of each connection with the same text, over TLS where it is given a certificate.
struct DoctorOrigin: Sendable {
    /// Bytes of a request's head; a client of this server sends a few hundred.
    private static let limitBytes = 64 << 10

    /// The port the system gave it.
    let port: Int
    /// The text.
    let answer: String

    /// Listens on loopback while a closure runs.
    ///
    /// - Parameters:
    ///   - answer: the text of every answer.
    ///   - certificate: that of the server; `nil` for plain HTTP.
    ///   - body: asks it.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws, and why no port can be had.
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
