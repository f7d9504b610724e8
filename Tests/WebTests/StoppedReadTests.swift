import Foundation
import Logging
import Store
import Support
import Testing

@testable import Web

@Suite("A read of the store ends with the server", .timeLimit(.minutes(15)))
struct StoppedReadTests {
    private struct Life: Sendable {
        var isBegun = false
        var isGivenUp = false
    }

    /// A place of the page whose answer takes a minute, stretched, or until nobody waits for it.
    private static func endless(_ life: Watched<Life>) -> PlaceAnswers.Place {
        PlaceAnswers.Place("endless", options: []) { _ in
            life.update { $0.isBegun = true }
            let end = ContinuousClock.now + Patience.stretched(.seconds(60))
            while ContinuousClock.now < end {
                if Task.isCancelled {
                    life.update { $0.isGivenUp = true }
                    throw CancellationError()
                }
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
            }
            return []
        }
    }

    @Test("A server that is stopped gives up what is under way, although its asker waits on")
    func stops() async throws {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: directory.file("captures.db"), access: .writing)
        let life = Watched(Life())
        let configuration = WebConfiguration(token: WebConfiguration.randomToken())
        let information = InstanceInformation(version: "1", proxy: "127.0.0.1:9090", caFile: "", caFingerprint: "")
        let server = WebServer(
            configuration: configuration,
            store: store,
            control: nil,
            information: CurrentInformation(information),
            places: PlaceAnswers([Self.endless(life)]),
            logger: Logger(label: "page")
        )
        let (ports, ready) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { ready.finish() }
                try await server.run { port in ready.yield(port) }
            }
            let first = await ports.first(where: { _ in true })
            let port = try #require(first)
            let client = try await RawClient.connect(port: port)
            try await client.send(
                "GET /endless.json HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: Bearer \(configuration.token)\r\n\r\n"
            )
            _ = try await life.wait(for: "the read to begin") { $0.isBegun }
            // As `inspect start` ends its page.
            group.cancelAll()
            while let ended = await group.nextResult() {
                if case .failure(let error) = ended, !(error is CancellationError) { throw error }
            }
            #expect(life.value.isGivenUp)
            withExtendedLifetime(client) {}
        }
        try store.close()
    }
}
