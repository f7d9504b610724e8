import Foundation
import Logging
import Synchronization
import Traffic

/// The rules of a running proxy: read at its start, and again when their files change.
///
/// Rules that are switched by hand stay so over later readings, until the proxy stops or their file switches them otherwise.
final class RunningRules: RuleControl {
    /// How often the files are looked at.
    private static let interval = Duration.seconds(1)

    private struct State {
        var paths: [String]
        /// The rules that stand in no file.
        var own: [Rule]
        var stamp: RuleFileStamp
        /// The rules as the files have them.
        var written: [Rule]
        /// The rules that were switched by hand, by name: whether they are off.
        var switched: [String: Bool] = [:]
        var list: RuleList?
        var problems: [String] = []
        /// Has the proxy take other rules.
        var apply: @Sendable (RuleList?) -> Void = { _ in }
    }

    private let state: Mutex<State>
    private let logger: Logger
    private let now: @Sendable () -> Int64

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - paths: files and directories, as the user named them.
    ///   - own: rules that stand in no file, before all others.
    ///   - logger: is told of later readings.
    ///   - now: microseconds since 1970.
    /// - Throws: `InputError` or `RuleFiles.Refusal` when they cannot be read.
    init(
        _ paths: [String],
        after own: [Rule] = [],
        logger: Logger,
        now: @escaping @Sendable () -> Int64 = { Moment.microseconds(Date()) }
    ) throws {
        let stamp = RuleFileStamp(of: paths)
        let rules = try RuleFiles.rules(at: paths, after: own)
        let list = rules.isEmpty ? nil : RuleList(rules, now: now())
        state = Mutex(State(paths: paths, own: own, stamp: stamp, written: rules, list: list))
        (self.logger, self.now) = (logger, now)
    }

    var list: RuleList? { state.withLock { $0.list } }
    var problems: [String] { state.withLock { $0.problems } }
    var files: [String] { state.withLock { $0.paths }.map { URL(fileURLWithPath: $0).standardizedFileURL.path } }

    /// How many rules are on, and how many there are.
    var counts: (on: Int, all: Int) {
        let rules = list?.rules ?? []
        return (rules.count { !$0.isOff }, rules.count)
    }

    /// Has a proxy take the rules whenever they change; those that there are it has already.
    func follow(_ apply: @escaping @Sendable (RuleList?) -> Void) { state.withLock { $0.apply = apply } }

    func turn(_ names: [String]?, isOff: Bool) throws(UnknownRules) {
        let now = now()
        let (strangers, known) = state.withLock { state -> ([String], [String]) in
            let known = state.written.map(\.name)
            let asked = names ?? known
            let strangers = Set(asked).subtracting(known)
            guard strangers.isEmpty else { return (strangers.sorted(), known) }
            for name in asked { state.switched[name] = isOff }
            guard let list = state.list else { return ([], []) }
            state.list = list.turning(Set(asked), isOff: isOff, now: now)
            state.apply(state.list)
            return ([], [])
        }
        if !strangers.isEmpty { throw UnknownRules(strangers, known: known) }
    }

    // MARK: Reading again

    /// Reads the files again while a closure runs, each time that they have changed.
    ///
    /// - Throws: what the closure throws.
    func watched(_ body: @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var seen = self.stamp
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    let now = self.stamp
                    // Whoever writes a file may have emptied it a moment ago, and not be done.
                    if now == seen { self.readChanged() }
                    seen = now
                }
            }
            defer { group.cancelAll() }
            try await body()
        }
    }

    /// What the files look like now.
    private var stamp: RuleFileStamp { RuleFileStamp(of: state.withLock { $0.paths }) }

    /// Reads the files again where they have changed since they were last read, rightly or not.
    func readChanged() {
        let (paths, own, stamp) = state.withLock { ($0.paths, $0.own, $0.stamp) }
        guard !paths.isEmpty, RuleFileStamp(of: paths) != stamp else { return }
        read(paths, after: own)
    }

    /// Reads files in the place of those before; where something in them is wrong, the old rules stay, and the log has a line.
    ///
    /// - Parameters:
    ///   - paths: files and directories, as the user named them.
    ///   - own: rules that stand in no file, before all others.
    func read(_ paths: [String], after own: [Rule] = []) {
        let stamp = RuleFileStamp(of: paths)
        let wasEmpty = state.withLock { $0.paths.isEmpty }
        do {
            let rules = try RuleFiles.rules(at: paths, after: own)
            state.withLock { $0.own = own }
            take(rules, of: paths, stamp)
            guard !paths.isEmpty || !wasEmpty else { return }
            let counts = counts
            logger.notice("read the rules anew", metadata: ["rules": "\(counts.all)", "on": "\(counts.on)"])
        } catch {
            let lines = (error as? RuleFiles.Refusal)?.problems.map(\.description) ?? [CommandFailure.sentence(error)]
            state.withLock { ($0.paths, $0.own, $0.stamp, $0.problems) = (paths, own, stamp, lines) }
            let more = lines.count > 1 ? ", and \(lines.count - 1) more" : ""
            logger.error("the rules were not read anew, and the old ones stay: \(lines.first ?? "")\(more)")
        }
    }

    private func take(_ rules: [Rule], of paths: [String], _ stamp: RuleFileStamp) {
        let now = now()
        state.withLock { state in
            let before = Dictionary(state.written.map { ($0.name, $0.isOff) }) { first, _ in first }
            // A file that switches a rule otherwise than before has the last word.
            let after = Dictionary(rules.map { ($0.name, $0.isOff) }) { first, _ in first }
            state.switched = state.switched.filter { name, _ in after[name] != nil && after[name] == before[name] }
            let switched = rules.map { rule in
                var rule = rule
                rule.isOff = state.switched[rule.name] ?? rule.isOff
                return rule
            }
            let list = switched.isEmpty ? nil : RuleList(switched, after: state.list, now: now)
            (state.paths, state.stamp, state.written, state.problems) = (paths, stamp, rules, [])
            state.list = list
            state.apply(list)
        }
    }
}
