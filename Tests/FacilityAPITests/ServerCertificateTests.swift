import Foundation
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing

@testable import FacilityAPI

/// The server's end of a TLS connection, by a clock that the test moves.
@Suite(.timeLimit(.minutes(15))) struct ServerCertificateTests {
    @Test("A connection that the server closes and whose client never ends TLS is gone after a tenth of a second")
    func silentClient() throws {
        let certificate = try ServerCertificate(now: Date())
        let loop = EmbeddedEventLoop()
        let server = EmbeddedChannel(loop: loop)
        try server.pipeline.syncOperations.addHandler(
            NIOSSLServerHandler(context: NIOSSLContext(configuration: certificate.tlsConfiguration()))
        )
        var trusting = TLSConfiguration.makeClientConfiguration()
        trusting.trustRoots = .certificates([
            try NIOSSLCertificate(bytes: Array(certificate.certificatePEM.utf8), format: .pem)
        ])
        let client = EmbeddedChannel(loop: loop)
        try client.pipeline.syncOperations.addHandler(
            NIOSSLClientHandler(context: NIOSSLContext(configuration: trusting), serverHostname: "localhost")
        )
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        for channel in [server, client] { channel.connect(to: address, promise: nil) }
        client.writeAndFlush(ByteBuffer(string: "hello"), promise: nil)
        // What one writes is what the other reads, until both are silent.
        var isMoving = true
        while isMoving {
            isMoving = false
            for (from, to) in [(client, server), (server, client)] {
                while let bytes = try from.readOutbound(as: ByteBuffer.self) {
                    try to.writeInbound(bytes)
                    isMoving = true
                }
            }
        }
        #expect(try server.readInbound(as: ByteBuffer.self) == ByteBuffer(string: "hello"))

        server.close(promise: nil)
        let farewell = try server.readOutbound(as: ByteBuffer.self)
        #expect(farewell != nil, "the server ended TLS")
        loop.advanceTime(by: .milliseconds(99))
        #expect(server.isActive, "the client has its time to answer")
        loop.advanceTime(by: .milliseconds(1))
        #expect(!server.isActive)
        // The client waits for an answer by the same clock.
        client.close(promise: nil)
        loop.advanceTime(by: .seconds(10))
    }
}
