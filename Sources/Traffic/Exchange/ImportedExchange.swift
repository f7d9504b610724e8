package import NIOCore

/// An exchange out of an archive, on its way into a store.
package struct ImportedExchange: Sendable {
    /// The record; its number and the number of the exchange that it replays are the archive's, 0 where that has none.
    package var exchange: Exchange
    /// The app that sent it: `nil` where the archive does not say, `.some(nil)` where it says that nobody knows.
    package var clientName: String??
    /// What people marked it with.
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

    /// Bytes that it holds, roughly; they bound what waits for the store.
    package var weightBytes: Int {
        messages.reduce(2048 + requestBody.readableBytes + responseBody.readableBytes) {
            $0 + $1.payload.readableBytes + StreamMessage.overheadBytes
        }
    }
}
