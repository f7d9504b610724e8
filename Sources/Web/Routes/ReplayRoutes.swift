import Hummingbird
import Traffic

/// Sends a recorded request again through the running proxy.
struct ReplayRoutes {
    let store: StoreDoor
    let control: (any ProxyControl)?

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/exchanges/{id}/replay") { _, context in try await replay(context) }
    }

    private func replay(_ context: WebContext) async throws -> Response {
        guard let control else {
            throw WebFailure(.conflict, "No proxy is running on this store, so nothing can be sent again.")
        }
        let original = try await store.exchange(context)
        guard !original.request.body.isTruncated else {
            throw WebFailure(
                .conflict,
                "The request's body was kept only in part, so it cannot be sent again as it was."
            )
        }
        guard original.outcome != .tunnelled, original.outcome != .pending else {
            throw WebFailure(.conflict, "Only a request that was read whole can be sent again.")
        }
        let body = try await store.body(original.id, .request, kept: original.request.body.kept)
        var sent = original
        sent.request = original.request.describingKept
        let id = try await control.replay(ReplayRequest(original: sent, body: body))
        return WebAnswer.json { $0.integer("id", id) }
    }
}

extension StoreDoor {
    /// The bytes of a body in pieces of at most this size.
    static let chunkBytes = 256 << 10

    /// The next kept bytes of a body.
    ///
    /// - Throws: `StoreError` when the store cannot be read or no longer holds them.
    func piece(_ id: ExchangeID, _ side: MessageSide, offset: Int64) async throws -> [UInt8] {
        try await read { try $0.body(id, side, offset: offset, limitBytes: StoreDoor.chunkBytes) }
    }

    /// A kept body whole; the store's body limit bounds it.
    fileprivate func body(_ id: ExchangeID, _ side: MessageSide, kept: Int64) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < kept {
            let piece = try await piece(id, side, offset: Int64(bytes.count))
            guard !piece.isEmpty else { throw WebFailure(.conflict, "The request's body is no longer in the store.") }
            bytes += piece
        }
        return bytes
    }
}
