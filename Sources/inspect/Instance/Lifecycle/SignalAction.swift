import Foundation
import Synchronization

/// What a signal does to this process.
///
/// Kept as a number: what stands for "ignored" is no address of a function, and an optional function of that value may be taken for none.
struct SignalAction: Sendable {
    /// What Dispatch has a signal do, with the source that had Dispatch set it: it sets that once in a process, and by no later source.
    private static let ofSources = Mutex<[Int32: (action: SignalAction, first: any DispatchSourceSignal)]>([:])
    /// How long to wait until a signal is listened to; that takes less than a millisecond on a quiet machine.
    private static let registrationLimit: DispatchTimeInterval = .seconds(10)

    private let number: Int32
    private let address: Int

    /// Notes what a signal does.
    init(of number: Int32) {
        self.number = number
        var now = sigaction()
        sigaction(number, nil, &now)
        // The address is the first of its members on every system.
        address = withUnsafeBytes(of: now) { $0.load(as: Int.self) }
    }

    /// Notes what a signal does, and makes the process ignore it from now on.
    init(ignoring number: Int32) {
        self.number = number
        address = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    }

    /// Restores what the signal did.
    func restore() { signal(number, unsafeBitCast(address, to: (@convention(c) (Int32) -> Void)?.self)) }

    /// Whether the signal does nothing.
    var isIgnoring: Bool { address == unsafeBitCast(SIG_IGN, to: Int.self) }

    /// A source of Dispatch that hears a signal from now on, to which alone the signal goes.
    ///
    /// - Parameters:
    ///   - number: the signal.
    ///   - hear: called at each signal, on a queue; it may come before the source is returned.
    /// - Returns: the source; whoever cancels it restores what the signal did.
    static func source(of number: Int32, hear: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        #if canImport(Darwin)
        let source = registered(number, hear)
        signal(number, SIG_IGN)
        return source
        #else
        let action = ofSources.withLock { known in
            if let known = known[number] { return known.action }
            let before = SignalAction(of: number)
            let first = registered(number) {}
            let action = SignalAction(of: number)
            before.restore()
            known[number] = (action, first)
            return action
        }
        let source = registered(number, hear)
        action.restore()
        return source
        #endif
    }

    private static func registered(
        _ number: Int32,
        _ hear: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let isRegistered = DispatchSemaphore(value: 0)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: hear)
        source.setRegistrationHandler { isRegistered.signal() }
        source.resume()
        _ = isRegistered.wait(timeout: .now() + registrationLimit)
        return source
    }

    /// Whether a signal does nothing: so `nohup` has a hangup, and a shell the keys of its terminal for what it starts in the background.
    static func isIgnored(_ number: Int32) -> Bool { SignalAction(of: number).isIgnoring }
}
