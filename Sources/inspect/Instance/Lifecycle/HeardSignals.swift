import Foundation
import Synchronization

/// The signals that this process hears in the place of what they did, until it forgets them.
///
/// A signal that was ignored before, as after `nohup` or for what a shell started in the background, stays so and is not heard.
final class HeardSignals: Sendable {
    /// What listens, and what its signal did before; none once they are forgotten.
    private let sources: Mutex<[(source: any DispatchSourceSignal, before: SignalAction)]>

    /// Listens from now on: no signal that comes after this is lost.
    ///
    /// - Parameters:
    ///   - numbers: the signals to hear.
    ///   - act: called on a queue each time, with the signal and with what it did before. It goes on being heard until that is restored.
    init(_ numbers: [Int32], then act: @escaping @Sendable (_ number: Int32, _ before: SignalAction) -> Void) {
        var listening: [(source: any DispatchSourceSignal, before: SignalAction)] = []
        for number in numbers {
            let before = SignalAction(of: number)
            guard !before.isIgnoring else { continue }
            let source = SignalAction.source(of: number) { act(number, before) }
            listening.append((source, before))
        }
        sources = Mutex(listening)
    }

    deinit { forget() }

    /// Listens no longer: the signals do again what they did.
    func forget() {
        sources.withLock { sources in
            for (source, before) in sources {
                source.cancel()
                before.restore()
            }
            sources = []
        }
    }
}
