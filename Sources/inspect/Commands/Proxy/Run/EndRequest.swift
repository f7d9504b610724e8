import Foundation
import Synchronization

/// Whether somebody has asked this process to end: it then ends as it would have ended by itself.
///
/// Who asks twice ends it at once.
final class EndRequest: Sendable {
    private final class Asked: Sendable {
        let isMade = Mutex(false)
    }

    private let asked = Asked()
    /// What listens, by the number of its signal; none once it is forgotten.
    private let sources: Mutex<[Int32: any DispatchSourceSignal]>

    /// Listens from now on.
    ///
    /// - Parameter numbers: the signals that ask.
    init(by numbers: [Int32] = [SIGINT, SIGTERM]) {
        let asked = asked
        var listening: [Int32: any DispatchSourceSignal] = [:]
        for number in numbers {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                asked.isMade.withLock { $0 = true }
                signal(number, SIG_DFL)
            }
            source.resume()
            listening[number] = source
        }
        sources = Mutex(listening)
    }

    deinit { forget() }

    /// Whether it was asked.
    var isMade: Bool { asked.isMade.withLock { $0 } }

    /// Listens no longer: the signals end the process again.
    func forget() {
        sources.withLock { sources in
            for (number, source) in sources {
                source.cancel()
                signal(number, SIG_DFL)
            }
            sources = [:]
        }
    }
}
