import Synchronization

/// Secrets that open the page once each, for an address that others may see: every user of a machine sees the arguments of a browser.
final class EntryPasses: Sendable {
    /// Passes that wait for their use at once; beyond this the oldest is forgotten.
    private static let limit = 8
    /// The passes that nobody has used, the oldest first.
    private let waiting = Mutex<[String]>([])

    /// Makes a pass: 128 random bits in hexadecimal.
    func issue() -> String {
        let pass = WebConfiguration.randomToken()
        waiting.withLock { waiting in
            waiting.append(pass)
            if waiting.count > Self.limit { waiting.removeFirst() }
        }
        return pass
    }

    /// Whether a text is a pass that nobody has used; from then on it is used.
    func take(_ offered: some StringProtocol) -> Bool {
        waiting.withLock { waiting in
            guard let place = waiting.firstIndex(where: { AccessToken($0).matches(offered) }) else { return false }
            waiting.remove(at: place)
            return true
        }
    }
}
