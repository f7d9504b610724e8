import Foundation

/// What a signal does to this process.
///
/// Kept as a number: what stands for "ignored" is no address of a function, and an optional function of that value may be taken for none.
struct SignalAction: Sendable {
    private let number: Int32
    private let address: Int

    /// Notes what a signal does, and makes the process ignore it from now on.
    init(ignoring number: Int32) {
        self.number = number
        address = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    }

    /// Restores what the signal did.
    func restore() { signal(number, unsafeBitCast(address, to: (@convention(c) (Int32) -> Void)?.self)) }

    /// Whether a signal does nothing: so `nohup` has a hangup, and a shell the keys of its terminal for what it starts in the background.
    static func isIgnored(_ number: Int32) -> Bool {
        // Asks, and sets what there was.
        let action = SignalAction(ignoring: number)
        action.restore()
        return action.address == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
