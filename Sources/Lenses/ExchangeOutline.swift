import Traffic

/// The parts of an exchange's heads that lenses recognise it by, taken apart once for all of them.
package struct ExchangeOutline {
    package let exchange: Exchange
    /// The target's path as sent.
    package let path: Substring
    /// The path's parts between slashes, empty ones left out.
    package let parts: [Substring]
    /// The target's query as sent; `nil` where there is none.
    package let query: Substring?

    package init(_ exchange: Exchange) {
        self.exchange = exchange
        let target = exchange.target
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = target[..<(mark ?? target.endIndex)]
        parts = path.split(separator: "/")
        query = mark.map { target[target.utf8.index(after: $0)...] }
    }

    package var host: String { exchange.host }

    /// Where the request says it comes from.
    package var userAgent: String? { exchange.request.fields.first("User-Agent") }

    /// The request's media type, without parameters and lower case.
    package var requestType: String? {
        MediaType(exchange.request.fields.first("Content-Type"))?.essence
    }

    /// The response's media type, without parameters and lower case.
    package var responseType: String? { exchange.mediaType }
}
