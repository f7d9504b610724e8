import Foundation
import Synchronization
import Traffic

/// One line on standard error that says how far a long command is, on a terminal only; and Ctrl-C, taken note of so that the command ends cleanly.
final class Progress: Sendable {
    /// The time between two lines.
    private static let interval: Duration = .milliseconds(200)

    private struct State {
        var last: ContinuousClock.Instant?
        var isShown = false
    }

    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    /// What waits for Ctrl-C.
    private let end: EndRequest?

    /// - Parameter catchesInterrupts: whether Ctrl-C only sets `isInterrupted`; a second one ends the process.
    init(catchesInterrupts: Bool = false) { end = catchesInterrupts ? EndRequest(by: [SIGINT]) : nil }

    /// Whether Ctrl-C was pressed.
    var isInterrupted: Bool { end?.isMade ?? false }

    /// Shows how far it is, now and then.
    ///
    /// - Parameters:
    ///   - done: how much is done.
    ///   - whole: how much there is; `nil` where that is not known.
    ///   - what: a few words.
    func tell(_ done: Int64, of whole: Int64?, _ what: String) {
        guard isTerminal else { return }
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard state.last.map({ now - $0 >= Progress.interval }) ?? true else { return false }
            (state.last, state.isShown) = (now, true)
            return true
        }
        guard isDue else { return }
        let share = whole.map { $0 > 0 ? "\(min(100, done * 100 / $0)) %" : "" } ?? "\(done)"
        Console.status("\(VisibleText.line(what)): \(share)")
    }

    /// Counts, with a line that says how far it is.
    static func counting<Counts>(_ count: (@escaping @Sendable (Int64, Int64) -> Void) throws -> Counts) rethrows
        -> Counts
    {
        let progress = Progress()
        // What is quick needs no line.
        progress.state.withLock { $0.last = .now }
        defer { progress.clear() }
        return try count { done, whole in progress.tell(done, of: whole, "counting") }
    }

    /// Takes the line away.
    func clear() {
        if state.withLock({ $0.isShown }) { Console.status("") }
    }
}
