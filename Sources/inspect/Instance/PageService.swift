import Foundation
import Logging
import NIOCore
import NIOPosix
import Proxy
import Store
import Traffic
import Trust
import Web

/// The page, served while a closure runs that needs its port.
struct PageService: Sendable {
    let token: String
    let port: Int
    let decodedLimitBytes: Int
    let store: TrafficStore
    let control: any ProxyControl
    let rules: any RuleControl
    let information: CurrentInformation
    let measure: @Sendable () async -> [Metric]
    let logger: Logger

    /// Serves the page and runs the closure once it can be reached; ends when the closure does.
    ///
    /// - Throws: `InputError` when the port cannot be had; what the closure throws.
    func run(_ body: @escaping @Sendable (_ port: Int) async throws -> Void) async throws {
        var configuration = WebConfiguration(port: port, token: token)
        configuration.decodedLimitBytes = decodedLimitBytes
        configuration.readCertificate = { CertificateFacts(der: $0) }
        configuration.remedyWords = \.command
        configuration.refusalWords = RefusalRemedy.words
        configuration.isForeign = { connection in
            // A search that cannot be made tells of no one else.
            (try? await NIOThreadPool.singleton.runIfActive { ClientUser(of: connection).isAnother }) ?? false
        }
        let server = WebServer(
            configuration: configuration,
            store: store,
            control: control,
            rules: rules,
            information: information,
            places: .commands,
            bench: .commands,
            measure: measure,
            logger: logger
        )
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { ready.finish() }
                do {
                    try await server.run { port in ready.yield(port) }
                } catch let error as IOError where error.errnoCode == EADDRINUSE {
                    throw InputError(
                        "127.0.0.1:\(port) is in use by another program; choose another port with --web-port, or --web-port 0 for any"
                    )
                }
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return }
                try await body(port)
            }
            // Whichever ends first ends the other: the closure because it is done, the page because it could not be served.
            defer { group.cancelAll() }
            try await group.next()
            group.cancelAll()
            while let result = await group.nextResult() {
                if case .failure(let error) = result, !(error is CancellationError) { throw error }
            }
        }
    }
}
