import NIOCore

/// An exchange out of an archive, on its way into a store.
package struct ImportedExchange: Sendable {
    /// The record; its number and that of its original are the archive's, 0 where it has none.
    package var exchange: Exchange
    /// The app that sent it, where the archive says; within, `nil` where it says that this is not known.
    package var clientName: String??
    /// What people said of it.
    package var marks = ExchangeMarks()
    /// The name of the session it was recorded in.
    package var session: String?
    /// The bytes to keep of the request's body, as its measure describes them.
    package var requestBody = ByteBuffer()
    /// The bytes to keep of the response's body.
    package var responseBody = ByteBuffer()
    /// The messages of its stream in their order.
    package var messages: [StreamMessage] = []

    package init(_ exchange: Exchange) { self.exchange = exchange }

    /// Bytes it holds, roughly: what waits for the store is bounded by them.
    package var weightBytes: Int {
        messages.reduce(2048 + requestBody.readableBytes + responseBody.readableBytes) {
            $0 + $1.payload.readableBytes + StreamMessage.overheadBytes
        }
    }
}
