import Support
import Traffic

/// A proxy that counts how many replays are under way at once; each stays until so many have been there together.
final class CrowdedProxy: ProxyControl {
    private struct Counts: Sendable {
        var open = 0
        var most = 0
    }

    private let counts = Watched(Counts())
    private let least: Int

    init(waitsFor least: Int) { self.least = least }

    /// The most that were under way at once.
    var most: Int { counts.value.most }

    func replay(_ request: ReplayRequest) async throws -> ExchangeID {
        counts.update {
            $0.open += 1
            $0.most = max($0.most, $0.open)
        }
        // A few turns of everyone else, too, so that more could come where more may.
        for _ in 0..<100 { await Task.yield() }
        let least = least
        _ = try await counts.wait(for: "\(least) replays at once") { $0.most >= least }
        counts.update { $0.open -= 1 }
        return 1
    }

    func passedThrough() -> [PassedHost] { [] }
    func passThrough(_ host: String) throws {}
    func readAgain(_ host: String) -> Bool { false }
}
