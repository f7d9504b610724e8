/// Finds the rules of a list that can apply to a request: by the end of the host's name, then by method and by what the path must contain.
///
/// It leaves out only rules whose conditions are certainly false; all the others are judged.
struct RuleIndex: Sendable {
    /// Rules that ask for the same end of a host's name, or for none.
    private struct Shelf {
        /// All of them.
        let rules: [Int]
        /// Those that apply to any path.
        let ofAnyPath: [Int]
        /// The others, by what the path must contain.
        let byPath: NeedleIndex

        init(_ rules: [Int], _ needles: [[[[UInt8]]]?]) {
            self.rules = rules
            ofAnyPath = rules.filter { needles[$0] == nil }
            byPath = NeedleIndex(rules.compactMap { rule in needles[rule].map { (rule, $0) } })
        }
    }

    /// The methods that rules ask for, upper case, by the rule's place; `nil` for any.
    private let methods: [Set<String>?]
    /// The rules by the end of a host's name, in whole labels.
    private let byHost: [String: Shelf]
    private let anywhere: Shelf

    init(_ rules: [Rule]) {
        let conditions = rules.map(\.condition.condition)
        methods = conditions.map(\.methods)
        // Texts of which the path must contain one, each as bytes of which it must contain all.
        let needles = conditions.map(\.needles)
        var places: [String: [Int]] = [:]
        var anywhere: [Int] = []
        for (place, condition) in conditions.enumerated() {
            guard let hosts = condition.hostEnds else {
                anywhere.append(place)
                continue
            }
            for host in hosts { places[host, default: []].append(place) }
        }
        byHost = places.mapValues { Shelf($0, needles) }
        self.anywhere = Shelf(anywhere, needles)
    }

    /// The places of the rules that can apply, in the order of the list; method and target are `nil` where they are not known, at a CONNECT.
    func candidates(host: String, method: String?, target: String?) -> [Int] {
        let method = method?.uppercased()
        var path: [UInt8]?
        var found: [Int] = []
        func add(_ rule: Int) {
            if let method, let methods = methods[rule], !methods.contains(method) { return }
            found.append(rule)
        }
        func look(_ shelf: Shelf) {
            guard let target else { return shelf.rules.forEach(add) }
            shelf.ofAnyPath.forEach(add)
            guard !shelf.byPath.isEmpty else { return }
            let folded = path ?? TextFold.bytes(String(QueryString.split(target).path))
            path = folded
            shelf.byPath.each(in: folded, add)
        }
        look(anywhere)
        if !byHost.isEmpty {
            var end = (host.isEmpty ? Facet.none : host)[...]
            while true {
                if let shelf = byHost[String(end)] { look(shelf) }
                guard let dot = end.firstIndex(of: ".") else { break }
                end = end[end.index(after: dot)...]
            }
        }
        // A rule may be found more than once: for several hosts, or for several paths.
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

    /// Alternatives of which the path must meet one, each as folded bytes that it must contain all; `nil` when nothing is certain.
    fileprivate var needles: [[[UInt8]]]? {
        claims { test in
            guard case .line(.path, let patterns) = test else { return nil }
            let needs = patterns.map(\.literals)
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
