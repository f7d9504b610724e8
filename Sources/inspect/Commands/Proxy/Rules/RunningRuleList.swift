import Foundation
import NIOCore
import Traffic

/// The rules of the proxy that runs on a store, asked for and switched over its API.
struct RunningRuleList {
    /// A rule with what it has done.
    struct Rule: Codable {
        var name: String
        var on: Bool
        var group: String?
        /// The query that selects what it applies to; empty for all.
        var when: String
        var actions: [String]
        var path: String
        var line: Int
        var hits: Int64
        /// When it last applied, as RFC 3339 text.
        var lastHit: String?
        /// How often it could not be judged, or not be done.
        var skipped: Int64
        /// How often another rule answered the request on which it acts.
        var shadowed: Int64
        /// When it stops applying, as RFC 3339 text.
        var ends: String?
        /// Why it applies no more though it is on: `expires` or `times`; `nil` while it may.
        var ended: String?

        /// Whether it has ended at a moment, in microseconds since 1970: its time has passed, or it has applied as often as it may.
        func hasEnded(_ now: Int64) -> Bool {
            ended != nil || ends.flatMap { Timestamp.microseconds($0) }.map { $0 <= now } == true
        }

        /// Whether it applies at a moment: it is on, and has not ended.
        func isActive(_ now: Int64) -> Bool { on && !hasEnded(now) }
    }

    /// What the API says of the rules.
    struct List: Codable {
        var rules: [Rule]
        var files: [String]
        /// What is wrong with the files as they are now.
        var problems: [String]

        /// The rules that apply now: one that has ended changes nothing more.
        var active: [Rule] {
            let now = Moment.microseconds(Date())
            return rules.filter { $0.isActive(now) }
        }

        /// `3 of 5 rules are on`.
        var sentence: String {
            "\(active.count) of \(rules.count.counted("rule is", "rules are")) on"
        }

        /// `staging, no csp and 3 more`: the rules that are on; `nil` where none is.
        var namesOn: String? {
            let names = active.map(\.name)
            guard !names.isEmpty else { return nil }
            let more = names.count - Self.namedLimit
            return names.prefix(Self.namedLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        }

        /// Rules that are named on a line.
        private static let namedLimit = 10
    }

    private struct Asked: Encodable {
        var names: [String]?
        var all: Bool?
        var on: Bool
    }

    private let client: InstanceClient

    /// - Throws: `InputError` when no proxy runs on the store.
    init(_ store: StoreOptions) throws {
        guard let instance = try InstanceFile.read(for: store.path) else {
            throw InputError("no proxy is running on \(store.path); 'inspect start --rules FILE' begins with rules")
        }
        client = InstanceClient(instance)
    }

    /// The rules of a proxy that runs, which answers within some time.
    init(of instance: InstanceFile, within deadline: TimeAmount = .seconds(30)) {
        client = InstanceClient(instance, within: deadline)
    }

    /// The rules, in their order.
    func list() async throws -> List { try await client.get("rules", as: List.self) }

    /// Switches rules.
    ///
    /// - Parameters:
    ///   - names: the rules; `nil` for all.
    ///   - isOn: whether they are on from now on.
    /// - Returns: all rules after that.
    /// - Throws: `InputError` for names of no rule.
    func turn(_ names: [String]?, isOn: Bool) async throws -> List {
        let asked = Asked(names: names, all: names == nil ? true : nil, on: isOn)
        return try await client.post("rules", asked, as: List.self)
    }
}
