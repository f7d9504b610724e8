import Synchronization
import Traffic

/// The regular expressions of a document, with one bound on what is remembered of all of them.
///
/// An expression keeps the states that it meets while it is matched, up to a bound of its own, and a document may have thousands of expressions. So the
/// steps are counted over all. Once they may have come to too much, all expressions are forgotten, and read again when they are needed.
///
/// Several threads may check exchanges against one document.
final class SchemaPatterns: Sendable {
    /// The state that threads share.
    private struct State {
        var known: [ExactText: TextPattern] = [:]
        var tried = 0
    }

    /// The steps after which all is forgotten: 100 MiB, since a step adds at most 524 bytes, a state of one way with its transitions.
    static let triedLimit = 200_000
    /// The steps that reading an expression again counts for.
    private static let readingWork = 16_000
    /// The bytes of a text that are read in one go.
    private static let stretch = 4_096

    private let triedLimit: Int
    private let state = Mutex(State())

    init(triedLimit: Int) { self.triedLimit = triedLimit }

    /// Reads an expression.
    ///
    /// - Throws: the reason why it cannot be read.
    func read(_ source: String) throws(TextPattern.Unread) -> SchemaPattern {
        let pattern = try TextPattern(mindingCase: source)
        state.withLock { $0.known[ExactText(source)] = pattern }
        return SchemaPattern(source: source, all: self)
    }

    /// Whether a text matches an expression that was read; `nil` where that takes more work than is left.
    func matches(_ source: String, _ text: String, work: inout Int) -> Bool? {
        guard let pattern = pattern(source, work: &work) else { return nil }
        let before = work
        let isMatch = pattern.matches(text, work: &work)
        // A text that matches, or that was given up, may not have been read to its end.
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
