import NIOCore
package import Traffic

/// Exchanges as the messages that passed, heads byte for byte, one after the other.
///
/// A chunked body is written in chunks again (their old boundaries are not recorded), so that a reader of HTTP can read the file: request, response,
/// request, response, with nothing between them. Messages of HTTP/2 are written as in the record, with `HTTP/2` in the first line.
package struct RawMessages {
    /// Bytes read at a time.
    private static let pieceBytes = 256 * 1024

    private let source: ArchiveSource

    /// - Parameter source: the bodies' bytes, asked for piece by piece.
    package init(source: @escaping ArchiveSource) { self.source = source }

    /// Writes an exchange: the client's request, then the interim responses and the response, the proxy's own where it gave one.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - write: takes the next bytes.
    /// - Throws: what reading a body and `write` throw.
    package func write(_ record: ExchangeRecord, to write: ([UInt8]) throws -> Void) throws {
        let exchange = record.exchange
        try self.write(exchange.request, of: exchange, .request, to: write)
        for head in exchange.interim { try write(Array(head.readableBytesView)) }
        if let own = exchange.ownResponse {
            try write(Array(own.readableBytesView))
        } else if let response = exchange.response {
            try self.write(response, of: exchange, .response, to: write)
        }
    }

    private func write(
        _ recorded: Message,
        of exchange: Exchange,
        _ side: MessageSide,
        to write: ([UInt8]) throws -> Void
    ) throws {
        let message = recorded.describingKept
        try write(Array(message.head.readableBytesView))
        let isChunked = message.fields.values("Transfer-Encoding").last?.lowercased().hasSuffix("chunked") == true
        let hasBody = side == .request || exchange.method != "HEAD" && exchange.code != 204 && exchange.code != 304
        var offset: Int64 = 0
        while !exchange.isWebSocket {
            let piece = try source(exchange.id, side, offset, RawMessages.pieceBytes)
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            guard isChunked else {
                try write(piece)
                continue
            }
            try write(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
        }
        guard isChunked, hasBody, !message.body.isTruncated else { return }
        try write(Array("0\r\n".utf8) + (message.trailers.map { Array($0.readableBytesView) } ?? []))
        let isEnded = message.trailers?.readableBytesView.suffix(4).elementsEqual("\r\n\r\n".utf8) == true
        if !isEnded, message.trailers?.readableBytesView.elementsEqual("\r\n".utf8) != true {
            try write(Array("\r\n".utf8))
        }
    }
}
