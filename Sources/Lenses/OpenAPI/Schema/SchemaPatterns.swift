import Synchronization
import Traffic

/// The regular expressions of a document, with what is remembered of them in one bound.
///
/// Each keeps the states that turn up while it is looked for, as much as is good for one alone, and a document may have thousands of them. So what was
/// tried is counted over all. Once it may have come to too much, all are forgotten, and one that is needed again is read again.
///
/// Several threads may hold exchanges to one document.
final class SchemaPatterns: Sendable {
    /// What changes.
    private struct State {
        var known: [ExactText: TextPattern] = [:]
        var tried = 0
    }

    /// Steps that are tried before all is forgotten: 100 MiB, since one of them adds 524 bytes at most, a state of one way with its transitions.
    static let triedLimit = 200_000
    /// What reading an expression again counts, in steps.
    private static let readingWork = 16_000
    /// Bytes of a text that are looked at in one go.
    private static let stretch = 4_096

    private let triedLimit: Int
    private let state = Mutex(State())

    init(triedLimit: Int) { self.triedLimit = triedLimit }

    /// Reads an expression.
    ///
    /// - Throws: why it is not taken.
    func read(_ source: String) throws(TextPattern.Unread) -> SchemaPattern {
        let pattern = try TextPattern(mindingCase: source)
        state.withLock { $0.known[ExactText(source)] = pattern }
        return SchemaPattern(source: source, all: self)
    }

    /// Whether a text matches an expression that was read; `nil` where that takes more work than there is.
    func matches(_ source: String, _ text: String, work: inout Int) -> Bool? {
        guard let pattern = pattern(source, work: &work) else { return nil }
        let before = work
        let isMatch = pattern.matches(text, work: &work)
        // Of a text that is given up, or that matches, not all may have been looked at.
        let count = text.utf8.count
        let looked = isMatch == false ? count : min(count, SchemaPatterns.stretch)
        note(tried: before - work - looked)
        return isMatch
    }

    private func pattern(_ source: String, work: inout Int) -> TextPattern? {
        let name = ExactText(source)
        if let pattern = state.withLock({ $0.known[name] }) { return pattern }
        work -= SchemaPatterns.readingWork
        let pattern = try? TextPattern(mindingCase: source)
        state.withLock { $0.known[name] = pattern }
        return pattern
    }

    private func note(tried steps: Int) {
        guard steps > 0 else { return }
        state.withLock {
            $0.tried += steps
            if $0.tried > triedLimit { $0 = State() }
        }
    }
}
