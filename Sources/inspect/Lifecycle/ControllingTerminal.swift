import Foundation

/// The terminal that a process hangs on, whose end is told by the same signal that asks for the configuration to be read anew.
struct ControllingTerminal: Sendable {
    private let wasThere: Bool

    /// Looks whether there is one now.
    init() { wasThere = ControllingTerminal.isThere }

    /// Whether there was one and it is gone.
    var isGone: Bool { wasThere && !ControllingTerminal.isThere }

    private static var isThere: Bool {
        let descriptor = open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return true
    }
}
