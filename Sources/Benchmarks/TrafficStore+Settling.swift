import Foundation
import Store

extension TrafficStore {
    /// Waits until every block is made, so that a figure holds the indexer's work too.
    ///
    /// It looks once a millisecond, which costs next to no CPU: the indexer tells nobody when it rests, and only benchmarks wait for it.
    ///
    /// - Throws: what SQLite says.
    func settle() throws {
        while indexLag > 0 { usleep(1_000) }
        try index()
    }
}
