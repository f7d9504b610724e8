import Hummingbird
import Store

extension StoreDoor {
    /// The time after which a read stops if its asker has left.
    private static let patience = Duration.milliseconds(200)

    /// Answers with what a read returns that may go through the whole store; the read stops when the asker leaves.
    ///
    /// Only a slow read costs the connection: to see that the asker has left, what follows the request is read, so no further request can be served.
    /// A read that ran to its end although its asker had left is answered all the same.
    ///
    /// - Parameters:
    ///   - asker: the asker; it may leave before its turn, too.
    ///   - queue: reads of which there is one at a time; `nil` for one that waits for no other.
    ///   - body: the read.
    ///   - make: makes the answer.
    /// - Returns: the answer.
    /// - Throws: what the read throws, as a `LateFailure` where the connection is lost; `CancellationError` when nobody waits for the answer.
    func answer<Value: Sendable>(
        to asker: Asker,
        in queue: TaskQueue? = nil,
        reading body: @escaping @Sendable (TrafficStore) throws -> Value,
        as make: (Value) -> Response
    ) async throws -> Response {
        let (gone, leave) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                guard let queue else { return try await read(body) }
                return try await queue.run { try await read(body) }
            }
            group.addTask {
                try await Task.sleep(for: StoreDoor.patience)
                return nil
            }
            if let first = try await group.next(), let value = first { return make(value) }
            group.addTask {
                for await _ in gone {}
                return nil
            }
            let last: Value?
            do {
                last = try await asker.watched(at: self) { () -> Value? in
                    if let told = try await group.next(), let value = told { return value }
                    group.cancelAll()
                    return try await group.next() ?? nil
                } onLeave: {
                    leave.finish()
                }
            } catch { throw LateFailure(error: error) }
            guard let value = last else { throw CancellationError() }
            var response = make(value)
            response.headers[.connection] = "close"
            return response
        }
    }
}
