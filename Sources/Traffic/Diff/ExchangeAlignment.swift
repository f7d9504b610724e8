/// Pairs each exchange of one set with its counterpart in another.
///
/// Exchanges with the same method, path and query are paired first, whatever the order of the query's items; then those of the same endpoint with the
/// same query; then those of the same endpoint with the same names in the query. Within each step they are paired in the order they came. Hosts count
/// where both sets have them.
package struct ExchangeAlignment {
    /// One place in the two sets.
    package enum Place: Hashable, Sendable {
        case both(left: ExchangeID, right: ExchangeID)
        /// An exchange that is on the left only.
        case removed(ExchangeID)
        /// An exchange that is on the right only.
        case added(ExchangeID)
    }

    /// The parts of an exchange that pairing needs.
    private struct Line {
        var id: ExchangeID
        var method: String
        var origin: String
        var target: String
    }

    private let noise: DiffNoise
    private var left: [Line] = []
    private var right: [Line] = []
    private var tree = EndpointTree()

    package init(noise: DiffNoise) { self.noise = noise }

    /// Takes an exchange of the left set; a pending one is left out.
    package mutating func addLeft(_ row: ExchangeSummary) { if let line = line(row) { left.append(line) } }

    /// Takes an exchange of the right set; a pending one is left out.
    package mutating func addRight(_ row: ExchangeSummary) { if let line = line(row) { right.append(line) } }

    private mutating func line(_ row: ExchangeSummary) -> Line? {
        guard row.outcome != .pending else { return nil }
        if row.scheme != nil { tree.add(row, EndpointTree.segments(row.target)[...]) }
        let origin = "\(row.scheme?.rawValue ?? "")://\(row.host):\(row.port)"
        return Line(id: row.id, method: row.method, origin: origin, target: row.target)
    }

    /// The places in the order of the left set, then the exchanges that are on the right only.
    package func places() -> [Place] {
        let shared = Set(left.lazy.map(\.origin)).intersection(right.lazy.map(\.origin))
        var partners = [ExchangeID?](repeating: nil, count: left.count)
        var isTaken = [Bool](repeating: false, count: right.count)
        for key in keys {
            var waiting: [String: [Int]] = [:]
            for index in right.indices.reversed() where !isTaken[index] {
                waiting[key(right[index], shared), default: []].append(index)
            }
            for index in left.indices where partners[index] == nil {
                guard let other = waiting[key(left[index], shared)]?.popLast() else { continue }
                partners[index] = right[other].id
                isTaken[other] = true
            }
        }
        return zip(left, partners).map { line, partner in
            partner.map { .both(left: line.id, right: $0) } ?? .removed(line.id)
        } + zip(right, isTaken).filter { !$0.1 }.map { .added($0.0.id) }
    }

    /// What must agree, the strictest first.
    private var keys: [(Line, Set<String>) -> String] {
        func start(_ line: Line, _ shared: Set<String>) -> String {
            line.method + " " + (shared.contains(line.origin) ? line.origin : "") + " "
        }
        return [
            { line, shared in
                let path = QueryString.split(line.target).path
                return start(line, shared) + path + "?" + QueryDiff.normalised(line.target, noise)
            },
            { line, shared in start(line, shared) + template(line) + "?" + QueryDiff.normalised(line.target, noise) },
            { line, shared in start(line, shared) + template(line) + "?" + QueryDiff.names(line.target, noise) },
        ]
    }

    private func template(_ line: Line) -> String {
        let segments = EndpointTree.segments(line.target)
        return segments.isEmpty ? line.target : tree.template(segments[...])
    }
}
