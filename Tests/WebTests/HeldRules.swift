import Synchronization
import Traffic

/// Rules of a test's making, which hold nowhere.
final class HeldRules: RuleControl {
    private struct State {
        var list: RuleList?
        var files: [String]
        var problems: [String]
    }

    /// A request of which nothing but its line is known.
    struct Asked: FilterSubject {
        let summary: ExchangeSummary

        func message(_ side: MessageSide) -> Message? { nil }
        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] { [] }
        func messages(after number: Int64) -> [StreamMessage] { [] }
    }

    private let state: Mutex<State>

    init(
        _ rules: [Rule],
        files: [String] = ["/etc/rules.yaml"],
        problems: [String] = ["/etc/rules.yaml:1:1: wrong"]
    ) {
        state = Mutex(State(list: rules.isEmpty ? nil : RuleList(rules, now: 0), files: files, problems: problems))
    }

    var list: RuleList? { state.withLock { $0.list } }
    var files: [String] { state.withLock { $0.files } }
    var problems: [String] { state.withLock { $0.problems } }
    /// Whether each is off, in their order.
    var isOff: [Bool] { list?.rules.map(\.isOff) ?? [] }

    func turn(_ names: [String]?, isOff: Bool) throws(UnknownRules) {
        let known = list?.rules.map(\.name) ?? []
        let strangers = Set(names ?? []).subtracting(known)
        guard strangers.isEmpty else { throw UnknownRules(strangers.sorted(), known: known) }
        state.withLock { $0.list = $0.list?.turning(Set(names ?? known), isOff: isOff, now: 0) }
    }

    /// Takes what the files say from now on; rules that are as before keep their counts.
    ///
    /// - Parameters:
    ///   - rules: the rules.
    ///   - problems: what is wrong with the files.
    ///   - now: the moment, in microseconds since 1970.
    func read(_ rules: [Rule], problems: [String] = [], now: Int64 = 0) {
        state.withLock { state in
            state.list = RuleList(rules, after: state.list, now: now)
            state.problems = problems
        }
    }

    /// Has the rules judge a request, which counts.
    ///
    /// - Throws: what the judging throws.
    func judge(_ exchange: Exchange, gap: String? = nil) throws {
        let asked = Asked(summary: exchange.summary)
        guard let list, var run = RuleRun(list, for: asked.summary) else { return }
        _ = try run.judge(.request, at: .requestHead, of: asked, now: 0, gap: gap)
    }

    /// A rule that blocks what its query selects, on the second line of its file.
    ///
    /// - Throws: `FilterError` for a query that is none.
    static func block(_ name: String, when query: String = "", _ block: RuleBlock = .reset) throws -> Rule {
        let place = Rule.Place(path: "rules.yaml", line: 2, column: 3)
        let condition = query.isEmpty ? RuleCondition.always : try RuleCondition(query)
        return Rule(name: name, place: place, condition: condition, actions: [.block(block)])
    }
}
