import Foundation
import Store

/// The way to the store from an async caller: its reads block, so they run on threads of their own and not on the pool that serves requests.
struct StoreDoor: Sendable {
    let store: TrafficStore
    /// As many reads at once as there are requests in work, which `WebConfiguration.connectionLimit` bounds.
    private let queue = DispatchQueue(label: "inspect.web.store", attributes: .concurrent)

    init(_ store: TrafficStore) { self.store = store }

    /// Runs a read and returns what it returned.
    ///
    /// - Throws: what the read throws.
    func read<Value: Sendable>(_ body: @escaping @Sendable (TrafficStore) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body(store) }) }
        }
    }
}
