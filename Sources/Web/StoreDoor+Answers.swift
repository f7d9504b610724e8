import Hummingbird
import Store

extension StoreDoor {
    /// The time after which a read is held to whether its asker is still there.
    private static let patience = Duration.milliseconds(200)

    /// Answers with what a read comes to that may look at the whole store; it is given up when the asker goes away.
    ///
    /// Only a slow one costs the connection: to see that the asker has gone, what comes behind the request is read, so nothing may follow it. What was
    /// done to its end although its asker had gone is answered as it was done.
    ///
    /// - Throws: what the read throws, as a `LateFailure` where it costs the connection; `CancellationError` when nobody waits for it any more.
    func answer<Value: Sendable>(
        to asker: Asker,
        reading body: @escaping @Sendable (TrafficStore) throws -> Value,
        as make: (Value) -> Response
    ) async throws -> Response {
        let (gone, leave) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await read(body) }
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
