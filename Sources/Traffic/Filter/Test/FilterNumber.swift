/// A number that an exchange has; the raw value is the key.
package enum FilterNumber: String, Hashable, Sendable, CaseIterable {
    case port
    /// Bytes of the response's body as sent.
    case size
    /// Bytes of the request's.
    case reqsize
    /// Microseconds from its beginning to its end; an open exchange has none.
    case time
    case id

    /// The number; `nil` where there is none.
    package func value(_ summary: ExchangeSummary) -> Int64? {
        switch self {
        case .port: Int64(summary.port)
        case .size: summary.responseBytes
        case .reqsize: summary.requestBytes
        case .time: summary.duration
        case .id: summary.id
        }
    }

    var unit: Quantity.Unit {
        switch self {
        case .port, .id: .plain
        case .size, .reqsize: .bytes
        case .time: .time
        }
    }
}
