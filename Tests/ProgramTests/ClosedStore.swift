import NIOCore
import Store
import Support
import Traffic

/// A store that no process writes, in a directory of its own.
final class ClosedStore: Sendable {
    private let directory: TemporaryDirectory
    var path: String { directory.file("captures.db") }

    init() throws { directory = try TemporaryDirectory() }

    /// Records exchanges that have ended.
    func fill(_ samples: [Sample]) async throws {
        let store = try TrafficStore(path: path, access: .writing)
        let receipt = await withCheckedContinuation { continuation in
            let events = samples.map { sample in
                ExchangeEvent.ended(
                    sample.token,
                    sample.exchange,
                    request: ByteBuffer(bytes: sample.requestBody),
                    response: ByteBuffer(bytes: sample.responseBody)
                )
            }
            store.submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
        try store.close()
        guard receipt.isRecorded else { throw Unexpected("the samples were not recorded") }
    }

    /// Runs `inspect` on it.
    func inspect(_ arguments: [String]) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(try Executable.inspect(), arguments + ["--store", path])
    }
}
