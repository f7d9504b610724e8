import Traffic

/// The parts of an exchange's heads that lenses recognise it by, each taken apart once for all of them, and only when one asks.
package final class ExchangeOutline {
    package let exchange: Exchange
    /// The target's path as sent.
    package let path: Substring
    /// The target's query as sent; `nil` where there is none.
    package let query: Substring?
    /// The path's parts between slashes, empty ones left out.
    package private(set) lazy var parts: [Substring] = path.split(separator: "/")
    /// Where the request says it comes from.
    package private(set) lazy var userAgent: String? = requestFields.first("User-Agent")
    /// The request's media type, without parameters and lower case.
    package private(set) lazy var requestType: String? = MediaType(requestFields.first("Content-Type"))?.essence

    private lazy var requestFields = exchange.request.fields

    package init(_ exchange: Exchange) {
        self.exchange = exchange
        let target = exchange.target
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = target[..<(mark ?? target.endIndex)]
        query = mark.map { target[target.utf8.index(after: $0)...] }
    }

    package var host: String { exchange.host }

    /// The response's media type, without parameters and lower case.
    package var responseType: String? { exchange.mediaType }
}
