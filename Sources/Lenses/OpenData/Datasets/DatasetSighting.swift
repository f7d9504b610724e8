package import Foundation
package import Traffic

/// A dataset with the exchange that holds its newest copy.
package struct DatasetSighting: Sendable {
    package let dataset: Dataset
    package let exchange: ExchangeID
    /// When the portal answered; ages count back from this moment.
    package let moment: Date
    /// The request in words.
    package let request: String

    /// The freshness of the content at that moment.
    package var freshness: DatasetFreshness { dataset.freshness(at: moment) }

    /// Whether this copy is newer than another: modified later, else seen later.
    func isNewer(than other: DatasetSighting) -> Bool {
        let own = (dataset.modified ?? .distantPast, moment, exchange)
        return own > (other.dataset.modified ?? .distantPast, other.moment, other.exchange)
    }
}
