import NIOCore
import Store
import Support
import Traffic

/// A store with exchanges of a test's making, in a directory of its own.
final class CapturedStore: Sendable {
    private let directory: TemporaryDirectory
    let path: String
    private let writer: TrafficStore

    /// An empty one.
    ///
    /// - Parameter classifier: names clients and lenses; `nil` names none.
    /// - Throws: when there is no place for it.
    init(classifier: (any ExchangeClassifier)? = nil) throws {
        directory = try TemporaryDirectory()
        path = directory.file("captures.db")
        writer = try TrafficStore(path: path, access: .writing, classifier: classifier)
    }

    deinit { try? writer.close() }

    /// Ends the writing, so that a command may write.
    func close() throws { try writer.close() }

    /// Has a closure read the store.
    func reading<Value>(_ body: (TrafficStore) throws -> Value) throws -> Value { try body(writer) }

    /// Makes one exchange visible as pending; `record` ends it.
    func open(_ sample: Sample) async throws {
        var exchange = sample.exchange
        (exchange.outcome, exchange.code, exchange.response, exchange.timeline.duration) = (.pending, nil, nil, nil)
        let opened = exchange
        let receipt = await withCheckedContinuation { continuation in
            writer.submit(
                CaptureBatch(events: [.opened(sample.token, opened)], onCommit: { continuation.resume(returning: $0) })
            )
        }
        guard receipt.isRecorded else { throw NotRecorded() }
    }

    /// Writes events and waits for their commit.
    func submit(_ events: [ExchangeEvent]) async throws {
        let receipt = await withCheckedContinuation { continuation in
            writer.submit(CaptureBatch(events: events, onCommit: { continuation.resume(returning: $0) }))
        }
        guard receipt.isRecorded else { throw NotRecorded() }
    }

    /// Records one exchange that has ended, and waits for the commit.
    @discardableResult
    func record(_ sample: Sample) async throws -> ExchangeID {
        let receipt = await withCheckedContinuation { continuation in
            writer.submit(
                CaptureBatch(
                    events: [
                        .ended(
                            sample.token,
                            sample.exchange,
                            request: ByteBuffer(bytes: sample.requestBody),
                            response: ByteBuffer(bytes: sample.responseBody)
                        )
                    ],
                    onCommit: { continuation.resume(returning: $0) }
                )
            )
        }
        guard let id = receipt.ids.first else { throw NotRecorded() }
        return id
    }

    /// Runs `inspect` on this store.
    func inspect(_ arguments: String...) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(try Executable.inspect(), arguments + ["--store", path])
    }

    /// A path beside the store.
    func file(_ name: String) -> String { directory.file(name) }

    /// The bytes of a file beside the store.
    func read(_ name: String) throws -> [UInt8] { try directory.read(name) }

    struct NotRecorded: Error {}
}
