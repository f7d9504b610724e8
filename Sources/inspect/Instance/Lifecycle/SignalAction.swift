import Foundation
import Synchronization

/// What a signal does to this process.
///
/// Kept as a number: what stands for "ignored" is no address of a function, and an optional function of that value may be taken for none.
struct SignalAction: Sendable {
    /// What Dispatch has a signal do: it sets that once in a process, with the first source of the signal, and by no later source.
    private static let ofSources = Mutex<[Int32: SignalAction]>([:])

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

    /// Has a signal go to the sources of Dispatch alone; one of them is registered already.
    static func giveToSources(_ number: Int32) {
        #if canImport(Darwin)
        signal(number, SIG_IGN)
        #else
        ofSources.withLock { known in
            if let action = known[number] { action.restore() } else { known[number] = SignalAction(of: number) }
        }
        #endif
    }

    /// Whether a signal does nothing: so `nohup` has a hangup, and a shell the keys of its terminal for what it starts in the background.
    static func isIgnored(_ number: Int32) -> Bool { SignalAction(of: number).isIgnoring }
}
