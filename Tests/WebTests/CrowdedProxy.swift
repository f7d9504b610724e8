import Synchronization
import Traffic

/// A proxy that counts how many replays are under way at once; each stays until so many have been there together.
final class CrowdedProxy: ProxyControl {
    private let counts = Mutex((open: 0, most: 0))
    private let least: Int

    init(waitsFor least: Int) { self.least = least }

    /// The most that were under way at once.
    var most: Int { counts.withLock { $0.most } }

    func replay(_ request: ReplayRequest) async throws -> ExchangeID {
        counts.withLock { $0 = ($0.open + 1, max($0.most, $0.open + 1)) }
        // A few turns of everyone else, too, so that more could come where more may.
        for _ in 0..<100 { await Task.yield() }
        while most < least { await Task.yield() }
        counts.withLock { $0.open -= 1 }
        return 1
    }

    func passedThrough() -> [PassedHost] { [] }
    func passThrough(_ host: String) throws {}
    func readAgain(_ host: String) -> Bool { false }
}
