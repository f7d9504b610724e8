import Foundation

/// The terminal that a process hangs on, whose end is told by the same signal that asks for the configuration to be read anew.
struct ControllingTerminal: Sendable {
    private let holds: Bool

    /// Looks whether there is one now, and whether its end is to be that of the process: `nohup` has the signal ignored.
    ///
    /// Made before the signal is waited for, which takes the place of what was to be done at it.
    init() { holds = ControllingTerminal.isThere && !SignalAction.isIgnored(SIGHUP) }

    /// Whether the process had a controlling terminal that is gone.
    var isGone: Bool { holds && !ControllingTerminal.isThere }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
