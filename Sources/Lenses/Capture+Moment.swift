package import Foundation
package import Traffic

extension Capture {
    /// When the server answered, by its own clock (the Date field, RFC 9110 §6.6.1); by ours when the exchange began, where that field is missing.
    package var moment: Date {
        responseField("Date").flatMap(Date.init(httpDate:))
            ?? Date(timeIntervalSince1970: Double(exchange.timeline.started) / 1_000_000)
    }
}
