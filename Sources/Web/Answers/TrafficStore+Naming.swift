import Foundation
import HTTPTypes
import Store
import Traffic

extension TrafficStore {
    /// The exchanges that a request names, by number or by a query.
    ///
    /// - Parameters:
    ///   - selector: what was written.
    ///   - now: what `since:10m` counts back from.
    /// - Returns: their numbers, as `ids(of:now:)` orders them.
    /// - Throws: `WebFailure` where no exchange has a number, `FilterError` for a query that cannot be read.
    func ids(naming selector: SelectorText, now: Date) throws -> [ExchangeID] {
        do {
            return try ids(of: selector, now: now)
        } catch let error as AbsentExchanges {
            throw WebFailure(.notFound, "The store has no exchange \(error.words).")
        }
    }
}
