import Foundation
import Hummingbird
import HummingbirdTLS
package import Logging
import NIOCore
import ServiceLifecycle

/// A local stand-in for the servers of the four clients, with their errors and quirks, and data that can change during a run.
///
/// One server listens on one port and speaks HTTP or HTTPS there; a caller who wants both runs two.
package struct FacilityAPIServer: Sendable {
    /// The minted certificate for a client to trust; nil without TLS.
    package let certificatePEM: String?

    private let configuration: FacilityAPIConfiguration
    private let responder: FacilityResponder
    private let certificate: ServerCertificate?
    private let dates: WallTime
    private let logger: Logger

    /// Prepares a server and, with TLS, mints its certificate.
    ///
    /// - Throws: ``FacilityAPIError`` when this machine lacks the time zones of the data; the crypto library's error when no certificate can be made.
    package init(configuration: FacilityAPIConfiguration, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        responder = try FacilityResponder(configuration: configuration)
        certificate = configuration.tls ? try ServerCertificate(now: Date()) : nil
        certificatePEM = certificate?.certificatePEM
        dates = try WallTime(zone: "GMT")
    }

    /// Serves until the task is cancelled or the surrounding service group shuts down.
    ///
    /// - Parameter onReady: called once, with the port that is listened on, when the first client could connect.
    /// - Throws: ``FacilityAPIError`` when the port cannot be had.
    package func run(onReady: @escaping @Sendable (_ port: Int) async -> Void) async throws {
        try await responder.prepare()
        let application = try application()
        let server = try application.server.buildServer(
            configuration: .init(address: .hostname(configuration.host, port: configuration.port)),
            eventLoopGroup: application.eventLoopGroup,
            logger: logger
        ) { request, writer, channel in
            let context = FacilityRequestContext(source: .init(channel: channel, logger: logger))
            var response = try await responder.respond(to: request, context: context)
            response.headers[.date] = dates.imfFixdate(configuration.clock())
            if request.asksForOtherProtocol { response.headers[.connection] = "close" }
            try await writer.write(response: response.head, body: response.body)
            if request.asksForOtherProtocol { channel.close(mode: .output, promise: nil) }
        } onServerRunning: { channel in
            await onReady(channel.localAddress?.port ?? configuration.port)
        }
        do {
            try await server.run()
        } catch {
            let cause = "\(error)".contains("Address already in use") ? "the port is already in use" : "\(error)"
            throw FacilityAPIError("cannot listen on \(configuration.host):\(configuration.port): \(cause)")
        }
    }

    private func application() throws -> Application<FacilityResponder> {
        guard let certificate else {
            return Application(
                responder: responder,
                server: .http1(configuration: .init(additionalChannelHandlers: Self.handlers)),
                logger: logger
            )
        }
        return Application(
            responder: responder,
            server: try .tls(
                .http1(configuration: .init(additionalChannelHandlers: Self.handlers)),
                tlsConfiguration: try certificate.tlsConfiguration()
            ),
            logger: logger
        )
    }

    /// The handlers that each connection gets.
    private static var handlers: [any RemovableChannelHandler] {
        [EndedConnectionHandler(limit: ServerCertificate.endTimeout)]
    }
}
