import Foundation
import Synchronization

/// Whether somebody has asked this process to end: it then ends as it would have ended by itself.
///
/// Who asks twice ends it at once. A signal that was ignored before, as after `nohup` or for what a shell started in the background, stays so and asks for
/// nothing.
final class EndRequest: Sendable {
    /// How long to wait until a signal is listened to; that takes less than a millisecond on a quiet machine.
    private static let registrationLimit: DispatchTimeInterval = .seconds(10)

    private final class Asked: Sendable {
        let isMade = Mutex(false)
    }

    private let asked = Asked()
    /// Ends when it is asked, or when nobody listens any more.
    let made: AsyncStream<Void>
    private let tell: AsyncStream<Void>.Continuation
    /// What listens, and what its signal did before; none once they are forgotten.
    private let sources: Mutex<[(source: any DispatchSourceSignal, before: SignalAction)]>

    /// Listens from now on: no signal that comes after this is lost.
    ///
    /// - Parameters:
    ///   - numbers: the signals that ask.
    ///   - act: called with the signal, on a queue, once the signal does again what it did before.
    init(by numbers: [Int32] = [SIGINT, SIGTERM], then act: @escaping @Sendable (Int32) -> Void = { _ in }) {
        let asked = asked
        let (made, tell) = AsyncStream<Void>.makeStream()
        (self.made, self.tell) = (made, tell)
        var listening: [(source: any DispatchSourceSignal, before: SignalAction)] = []
        for number in numbers {
            let before = SignalAction(of: number)
            guard !before.isIgnoring else { continue }
            let registered = DispatchSemaphore(value: 0)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                asked.isMade.withLock { $0 = true }
                tell.finish()
                before.restore()
                act(number)
            }
            source.setRegistrationHandler { registered.signal() }
            source.resume()
            _ = registered.wait(timeout: .now() + EndRequest.registrationLimit)
            SignalAction.giveToSources(number)
            listening.append((source, before))
        }
        sources = Mutex(listening)
    }

    deinit { forget() }

    /// Whether it was asked.
    var isMade: Bool { asked.isMade.withLock { $0 } }

    /// Listens no longer: the signals do again what they did.
    func forget() {
        sources.withLock { sources in
            for (source, before) in sources {
                source.cancel()
                before.restore()
            }
            sources = []
        }
        tell.finish()
    }
}
