/// Finds the rules of a list that can apply to a request: by the end of the host's name, then by method and by what the path must contain.
///
/// It leaves out only rules whose conditions are certainly false; all the others are judged.
struct RuleIndex: Sendable {
    /// What a rule asks of a request's line besides the host.
    private struct Entry {
        let rule: Int
        /// The methods, upper case; `nil` for any.
        let methods: Set<String>?
        /// Folded bytes, one of which the path must contain; `nil` for any path.
        let needles: [[UInt8]]?
    }

    /// The rules by the end of a host's name, in whole labels.
    private var byHost: [String: [Entry]] = [:]
    private var anywhere: [Entry] = []

    init(_ rules: [Rule]) {
        for (index, rule) in rules.enumerated() {
            let condition = rule.condition.condition
            let entry = Entry(rule: index, methods: condition.methods, needles: condition.needles)
            guard let hosts = condition.hostEnds else {
                anywhere.append(entry)
                continue
            }
            for host in hosts { byHost[host, default: []].append(entry) }
        }
    }

    /// The places of the rules that can apply, in the order of the list; method and target are `nil` where they are not known, at a CONNECT.
    func candidates(host: String, method: String?, target: String?) -> [Int] {
        var path: [UInt8]?
        var found: [Int] = []
        func look(_ entries: [Entry]) {
            for entry in entries {
                if let method, let methods = entry.methods, !methods.contains(method.uppercased()) { continue }
                if let target, let needles = entry.needles {
                    if path == nil { path = TextFold.bytes(String(QueryString.split(target).path)) }
                    guard let path, needles.contains(where: { TextFold.find($0, in: path) != nil }) else { continue }
                }
                found.append(entry.rule)
            }
        }
        look(anywhere)
        if !byHost.isEmpty {
            var end = (host.isEmpty ? Facet.none : host)[...]
            while true {
                if let entries = byHost[String(end)] { look(entries) }
                guard let dot = end.firstIndex(of: ".") else { break }
                end = end[end.index(after: dot)...]
            }
        }
        // A rule for several hosts may be found under more than one.
        guard found.count > 1 else { return found }
        found.sort()
        return found.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}

extension FilterCondition {
    /// Names with which the host must end, label by label; `nil` when any host may do.
    fileprivate var hostEnds: Set<String>? {
        claims { test in
            guard case .facet(.host, let wanted) = test else { return nil }
            let ends = wanted.map(\.hostEnd)
            return ends.contains(nil) ? nil : Set(ends.compactMap { $0 })
        }
    }

    /// Methods, upper case, of which the request has one; `nil` when any may do.
    fileprivate var methods: Set<String>? {
        claims { test in
            guard case .facet(.method, let wanted) = test else { return nil }
            let names = wanted.map { $0.namedValue(in: .method) }
            return names.contains(nil) || names.contains(Facet.none) ? nil : Set(names.compactMap { $0 })
        }
    }

    /// Folded bytes, one of which the path must contain; `nil` when nothing is certain.
    fileprivate var needles: [[UInt8]]? {
        claims { test in
            guard case .line(.path, let patterns) = test else { return nil }
            let needs = patterns.map(\.need.bytes)
            return needs.contains([]) ? nil : Set(needs)
        }
        .map(Array.init)
    }

    /// Combines the claims of tests: of tests that must all hold the smallest claim, of alternatives the union.
    private func claims<Claim: Hashable>(_ claim: (FilterTest) -> Set<Claim>?) -> Set<Claim>? {
        switch self {
        case .test(let test): return claim(test)
        case .not: return nil
        case .all(let parts): return parts.compactMap { $0.claims(claim) }.min { $0.count < $1.count }
        case .any(let parts):
            var all: Set<Claim> = []
            for part in parts {
                guard let claims = part.claims(claim) else { return nil }
                all.formUnion(claims)
            }
            return all
        }
    }
}

extension FacetSelector {
    /// The name with which a host must end, label by label; `nil` when that is not certain.
    fileprivate var hostEnd: String? {
        guard case .host(let pattern) = self else { return nil }
        guard pattern.contains("*") else { return pattern }
        let end = pattern.dropFirst(2)
        return pattern.hasPrefix("*.") && !end.isEmpty && !end.contains("*") ? String(end) : nil
    }
}
