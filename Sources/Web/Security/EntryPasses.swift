import Synchronization
import Traffic

/// Secrets that open the page once each, for an address that others may see: every user of a machine sees the arguments of a browser.
final class EntryPasses: Sendable {
    /// Passes that wait for their use at once; beyond this the oldest is forgotten.
    private static let limit = 8
    /// How long a pass waits for its use, which is long enough for a browser to start.
    private static let waitTime = Duration.seconds(120)

    /// A secret, and when it was made.
    private struct Pass {
        let text: String
        let made: Duration
    }

    /// The passes that nobody has used, the oldest first.
    private let waiting = Mutex<[Pass]>([])
    private let clock: TimeSource

    /// - Parameter clock: the time that passes wait by.
    init(clock: TimeSource) { self.clock = clock }

    /// Makes a pass: 128 random bits in hexadecimal.
    func issue() -> String {
        let pass = Pass(text: WebConfiguration.randomToken(), made: clock.uptime)
        waiting.withLock { waiting in
            waiting.append(pass)
            if waiting.count > Self.limit { waiting.removeFirst() }
        }
        return pass.text
    }

    /// Whether a text is a pass that nobody has used.
    func has(_ offered: some StringProtocol) -> Bool { waiting.withLock { place(of: offered, in: &$0) } != nil }

    /// Whether a text is a pass that nobody has used; from then on it is used.
    func take(_ offered: some StringProtocol) -> Bool {
        waiting.withLock { waiting in
            guard let place = place(of: offered, in: &waiting) else { return false }
            waiting.remove(at: place)
            return true
        }
    }

    /// The place of a pass among those that wait, without those that waited too long.
    private func place(of offered: some StringProtocol, in waiting: inout [Pass]) -> Int? {
        let now = clock.uptime
        waiting.removeAll { now - $0.made >= Self.waitTime }
        return waiting.firstIndex { AccessToken($0.text).matches(offered) }
    }
}
