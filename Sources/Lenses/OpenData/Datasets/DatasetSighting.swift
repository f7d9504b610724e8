import Foundation
import Traffic

/// A dataset with the exchange whose copy of it is the newest.
package struct DatasetSighting: Sendable {
    package let dataset: Dataset
    package let exchange: ExchangeID
    /// When the portal answered: ages count back from it.
    package let moment: Date
    /// What had been asked for, in words.
    package let request: String

    /// How fresh its content was then.
    package var freshness: DatasetFreshness { dataset.freshness(at: moment) }

    /// Whether this copy is newer than another: modified later, else seen later.
    func isNewer(than other: DatasetSighting) -> Bool {
        let own = (dataset.modified ?? .distantPast, moment, exchange)
        return own > (other.dataset.modified ?? .distantPast, other.moment, other.exchange)
    }
}
