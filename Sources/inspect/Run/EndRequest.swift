import Foundation
import Synchronization

/// Whether somebody has asked this process to end while it waits for others: it then ends as it would have ended by itself.
final class EndRequest {
    private static let signals = [SIGINT, SIGTERM]

    private let sources: [any DispatchSourceSignal]
    private let asked: Asked

    private final class Asked: Sendable {
        let isMade = Mutex(false)
    }

    /// Listens from now on.
    init() {
        let asked = Asked()
        self.asked = asked
        sources = EndRequest.signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { asked.isMade.withLock { $0 = true } }
            source.resume()
            return source
        }
    }

    /// Whether it was asked.
    var isMade: Bool { asked.isMade.withLock { $0 } }

    /// Listens no longer: the signals end the process again.
    func forget() {
        for source in sources { source.cancel() }
        for number in EndRequest.signals { signal(number, SIG_DFL) }
    }
}
