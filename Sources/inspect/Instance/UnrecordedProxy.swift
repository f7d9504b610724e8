import Foundation
import Proxy
import Traffic
import Trust

/// A proxy of which nothing is recorded, for as long as a closure needs it.
enum UnrecordedProxy {
    /// Runs it while a closure runs, which is given it with its listeners.
    ///
    /// - Throws: what cannot be listened on, and what the closure throws.
    static func run<Result>(
        _ configuration: ProxyConfiguration,
        root: RootCertificate,
        _ body: (ProxyServer, [BoundListener]) async throws -> Result
    ) async throws -> Result {
        let proxy = try ProxyServer(
            configuration: configuration,
            authority: try CertificateAuthority(root: root) { Date() },
            sink: UnkeptTraffic(),
            listeners: OwnListeners(),
            logger: .silent
        )
        let listeners = try await proxy.listen()
        let result: Result
        do {
            result = try await body(proxy, listeners)
        } catch {
            // What ended it is what its user has to know.
            _ = try? await proxy.shutdown(listeners)
            throw error
        }
        try await proxy.shutdown(listeners)
        return result
    }

    /// Takes what passes and keeps nothing of it.
    private struct UnkeptTraffic: CaptureSink {
        func submit(_ batch: CaptureBatch) {
            // Nothing waits for a store; the numbers are those of exchanges that are in none.
            let ended = batch.events.count { if case .ended = $0 { true } else { false } }
            batch.onCommit(CommitReceipt(ids: Array(repeating: 0, count: ended), isRecorded: true))
        }
    }
}
