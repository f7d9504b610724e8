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

    /// A rule that was switched by hand.
    private struct Switch {
        let isOff: Bool
        /// Whether its file had it off then; it has the last word once it says otherwise.
        let isWrittenOff: Bool
        /// The file that has it, as it was named, and without symbolic links.
        var paths: Set<String>
        /// Readings in a row that had no such rule.
        var lacks = 0
    }

    /// Readings in a row without a rule after which nobody remembers that it was switched: it may be being written anew, but not for ever.
    private static let lackLimit = 10

    private struct State {
        var paths: [String]
        /// The rules that stand in no file, before all others.
        var own: [Rule]
        /// How often other files were named; what was read of those before is thrown away.
        var generation = 0
        var stamp: RuleFileStamp
        /// The rules as the files have them.
        var written: [Rule]
        /// The files that they stand in by the rules' names, as they were named and without symbolic links.
        var places: [String: Set<String>]
        /// The files that `written` came from.
        var taken: [String]
        /// The rules that were switched by hand, by name, for a while also those that the files hold no more.
        var switched: [String: Switch] = [:]
        var list: RuleList?
        var problems: [String] = []
        /// Has the proxy take other rules.
        var apply: @Sendable (RuleList?) -> Void = { _ in }
    }

    private let state: Mutex<State>
    /// What was in the pipes among the files at the start; nothing more comes out of them.
    private let pipes: RulePipes
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
        let pipes = try RulePipes(among: paths, limitBytes: RuleFiles.limitBytes)
        let stamp = RunningRules.stamp(paths, pipes)
        let rules = try RuleFiles.rules(at: paths, after: own, pipes: pipes)
        let list = rules.isEmpty ? nil : RuleList(rules, now: now())
        let places = RunningRules.places(of: rules)
        state = Mutex(
            State(paths: paths, own: own, stamp: stamp, written: rules, places: places, taken: paths, list: list)
        )
        (self.pipes, self.logger, self.now) = (pipes, logger, now)
    }

    var list: RuleList? { state.withLock { $0.list } }
    var problems: [String] { state.withLock { $0.problems } }
    /// Without the pipes, of which nobody can read anything more.
    var files: [String] {
        state.withLock { $0.paths }.filter { pipes.text($0) == nil }
            .map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    }

    /// How many rules are on and may apply yet, and how many there are.
    var counts: (on: Int, all: Int) {
        guard let list else { return (0, 0) }
        let on = zip(list.rules, list.endings(now: now())).count { rule, end in !rule.isOff && end == nil }
        return (on, list.rules.count)
    }

    /// Has a proxy take the rules whenever they change; those that there are it has already.
    func follow(_ apply: @escaping @Sendable (RuleList?) -> Void) { state.withLock { $0.apply = apply } }

    func turn(_ names: [String]?, isOff: Bool) throws(UnknownRules) {
        let now = now()
        let (strangers, known) = state.withLock { state -> ([String], [String]) in
            let written = Dictionary(state.written.map { ($0.name, $0) }) { first, _ in first }
            let known = state.written.map(\.name)
            let asked = names ?? known
            let strangers = Set(asked).subtracting(known)
            guard strangers.isEmpty else { return (strangers.sorted(), known) }
            for name in asked {
                guard let rule = written[name], let paths = state.places[name] else { continue }
                state.switched[name] = Switch(isOff: isOff, isWrittenOff: rule.isOff, paths: paths)
            }
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
    private var stamp: RuleFileStamp { RunningRules.stamp(state.withLock { $0.paths }, pipes) }

    private static func stamp(_ paths: [String], _ pipes: RulePipes) -> RuleFileStamp {
        RuleFileStamp(of: paths.filter { pipes.text($0) == nil })
    }

    /// Reads the files again where they have changed since they were last read, rightly or not.
    func readChanged() {
        let (paths, stamp, generation) = state.withLock { ($0.paths, $0.stamp, $0.generation) }
        guard !paths.isEmpty, RunningRules.stamp(paths, pipes) != stamp else { return }
        read(paths, generation)
    }

    /// Reads files in the place of those before; where something in them is wrong, the old rules stay, and the log has a line.
    ///
    /// - Parameters:
    ///   - paths: files and directories, as the user named them.
    ///   - own: rules that stand in no file, before all others.
    func read(_ paths: [String], after own: [Rule] = []) {
        let stamp = RunningRules.stamp(paths, pipes)
        let (isSpoken, generation) = state.withLock { state in
            let isSpoken = !paths.isEmpty || !state.paths.isEmpty || own != state.own
            // From here on whoever looks at the files looks at these.
            (state.paths, state.own, state.stamp, state.generation) = (paths, own, stamp, state.generation + 1)
            return (isSpoken, state.generation)
        }
        // Without rules before and after there is nothing to tell.
        guard isSpoken else { return }
        read(paths, generation)
    }

    /// Reads files, and takes what is in them unless others were named meanwhile.
    func read(_ paths: [String], _ generation: Int) {
        let stamp = RunningRules.stamp(paths, pipes)
        let own = state.withLock { $0.own }
        do {
            let rules = try RuleFiles.rules(at: paths, after: own, pipes: pipes)
            guard let forgotten = take(rules, of: paths, stamp, generation) else { return }
            let counts = counts
            logger.notice("read the rules anew", metadata: ["rules": "\(counts.all)", "on": "\(counts.on)"])
            guard let first = forgotten.first else { return }
            let more = forgotten.count > 1 ? ", and \(forgotten.count - 1) more" : ""
            logger.notice("forgot that a rule was switched off by hand, which is as its file has it: \(first)\(more)")
        } catch {
            let lines = (error as? RuleFiles.Refusal)?.problems.map(\.description) ?? [CommandFailure.sentence(error)]
            let isCurrent = state.withLock { state in
                guard state.generation == generation else { return false }
                (state.paths, state.stamp, state.problems) = (paths, stamp, lines)
                return true
            }
            guard isCurrent else { return }
            let more = lines.count > 1 ? ", and \(lines.count - 1) more" : ""
            logger.error("the rules were not read anew, and the old ones stay: \(lines.first ?? "")\(more)")
        }
    }

    /// Takes rules that were read.
    ///
    /// - Returns: the rules that were off by hand and are not any more, by name in their order; `nil` where other files were named since.
    private func take(
        _ rules: [Rule],
        of paths: [String],
        _ stamp: RuleFileStamp,
        _ generation: Int
    ) -> [String]? {
        let now = now()
        let places = RunningRules.places(of: rules)
        return state.withLock { state in
            guard state.generation == generation else { return nil }
            let before = state.switched
            RunningRules.forget(&state, places, of: paths)
            let switched = rules.map { rule in
                guard let byHand = state.switched[rule.name] else { return rule }
                guard byHand.isWrittenOff == rule.isOff else {
                    state.switched[rule.name] = nil
                    return rule
                }
                var rule = rule
                rule.isOff = byHand.isOff
                return rule
            }
            let list = switched.isEmpty ? nil : RuleList(switched, after: state.list, now: now)
            (state.paths, state.stamp, state.written, state.places) = (paths, stamp, rules, places)
            (state.list, state.problems) = (list, [])
            state.apply(list)
            let off = Set(switched.filter(\.isOff).map(\.name))
            return before.filter { $1.isOff && state.switched[$0] == nil && !off.contains($0) }.keys.sorted()
        }
    }

    /// Forgets who was switched by hand: rules that were long gone, and at once those that other files than before do not hold.
    private static func forget(_ state: inout State, _ places: [String: Set<String>], of paths: [String]) {
        let isOther = state.taken != paths
        state.taken = paths
        for (name, old) in state.switched {
            var byHand = old
            byHand.lacks = places[name] == nil ? old.lacks + 1 : 0
            byHand.paths = places[name] ?? old.paths
            let isKept = isOther ? places[name]?.isDisjoint(with: old.paths) == false : byHand.lacks < lackLimit
            state.switched[name] = isKept ? byHand : nil
        }
    }

    /// The files that rules stand in, as they were named and without symbolic links, by the rules' names.
    private static func places(of rules: [Rule]) -> [String: Set<String>] {
        var places: [String: Set<String>] = [:]
        for path in Set(rules.map(\.place.path)) {
            places[path] = [path, URL(fileURLWithPath: path).resolvingSymlinksInPath().path]
        }
        return Dictionary(rules.map { ($0.name, places[$0.place.path] ?? []) }) { first, _ in first }
    }
}
