import Traffic

/// The numbers of a block's exchanges, in the order of its offsets; read only when a question needs them.
struct NumberColumns: Sendable, Equatable {
    /// Microseconds since 1970.
    let started: [Int64]
    /// Microseconds; -1 where not known.
    let duration: [Int64]
    /// Bytes.
    let requestBytes: [Int64]
    /// Bytes.
    let responseBytes: [Int64]

    init(exchanges: [ExchangeSummary]) {
        started = exchanges.map(\.started)
        duration = exchanges.map { $0.duration ?? -1 }
        requestBytes = exchanges.map(\.requestBytes)
        responseBytes = exchanges.map(\.responseBytes)
    }

    init(started: [Int64], duration: [Int64], requestBytes: [Int64], responseBytes: [Int64]) {
        self.started = started
        self.duration = duration
        self.requestBytes = requestBytes
        self.responseBytes = responseBytes
    }
}
