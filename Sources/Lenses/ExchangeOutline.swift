package import Traffic

/// The parts of an exchange's heads that lenses recognise the exchange by.
///
/// Each part is read once for all lenses, and only when a lens asks for it.
package final class ExchangeOutline {
    package let exchange: Exchange
    /// The target's path as sent.
    package let path: Substring
    /// The target's query as sent; `nil` where there is none.
    package let query: Substring?
    /// The path's parts between slashes, empty ones left out.
    package private(set) lazy var parts = QueryString.steps(path)
    /// How many slashes the path has: its parts are at most one more.
    var slashCount: Int { path.utf8.count { $0 == UInt8(ascii: "/") } }
    /// The client that the request names, by its `User-Agent` field.
    package private(set) lazy var userAgent: String? = exchange.request.field("User-Agent")
    /// The request's media type, without parameters and lower case.
    package var requestType: String? { requestMediaType?.essence }

    private lazy var requestMediaType = MediaType(exchange.request.field("Content-Type"))

    package init(_ exchange: Exchange) {
        self.exchange = exchange
        (path, query) = QueryString.split(exchange.target)
    }

    package var host: String { exchange.host }

    /// The response's media type, without parameters and lower case.
    package var responseType: String? { exchange.mediaType }

    /// Whether the path begins with a text, byte by byte.
    package func pathBegins(with text: String) -> Bool { path.utf8.starts(with: text.utf8) }

    /// Whether the path ends with a text, byte by byte.
    package func pathEnds(with text: String) -> Bool { path.utf8.suffix(text.utf8.count).elementsEqual(text.utf8) }

    /// Whether some bytes stand in the query.
    func queryHolds(_ bytes: [UInt8]) -> Bool {
        guard var query = query.map(String.init) else { return false }
        return query.withUTF8 { TextFold.place(of: bytes, in: UnsafeRawBufferPointer($0)) != nil }
    }

    /// Whether a body may be JSON, the only kind that lenses recognise by its body; a server of plain files may call JSON a text or mere bytes.
    func mayBeJSON(_ side: MessageSide) -> Bool {
        guard let message = message(side), message.body.length > 0 else { return false }
        if side == .response, responseType == "application/json" { return true }
        let type = side == .request ? requestMediaType : MediaType(responseType)
        guard let type else { return true }
        return type.isJSON || type.essence == "application/octet-stream" || type.isTextual && !type.isXML
    }

    /// The codings of a side's kept body, in the order they were applied.
    func codings(_ side: MessageSide) -> [String] {
        guard let message = message(side), message.field("Content-Encoding") != nil else { return [] }
        return message.codings
    }

    private func message(_ side: MessageSide) -> Message? { side == .request ? exchange.request : exchange.response }
}
