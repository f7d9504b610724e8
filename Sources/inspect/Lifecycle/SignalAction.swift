import Foundation

/// What a signal does to this process.
enum SignalAction {
    /// Whether it does nothing: so `nohup` has a hangup, and a shell the keys of its terminal for what it starts in the background.
    static func isIgnored(_ number: Int32) -> Bool {
        // Asks, and sets what there was.
        let handler = signal(number, SIG_IGN)
        signal(number, handler)
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
