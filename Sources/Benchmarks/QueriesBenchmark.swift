import ArgumentParser
import Foundation
import GRDB
import Store
import Traffic

/// `inspect-bench queries`: how long questions take on a store, beside SQL on the same file.
struct QueriesBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queries",
        abstract: "Measure questions on stores that 'fill' made: counts, first page, and sqlite3 beside.",
        discussion: "Name several stores to see how it grows. Every figure is the median of --rounds in one process."
    )

    @Option(parsing: .upToNextOption, help: ArgumentHelp("The stores.", valueName: "path"))
    var store: [String]

    @Option(help: "Times each is asked; the median counts.")
    var rounds: Int = 5

    @Option(help: "Only questions whose text contains this.")
    var only: String?

    @Flag(help: "Leave SQL out.")
    var withoutSQL = false

    mutating func validate() throws {
        guard rounds > 0, !store.isEmpty else { throw ValidationError("name a store, and at least one round") }
    }

    func run() async throws {
        for path in store { try measure(path) }
    }

    private func measure(_ path: String) throws {
        let clock = ContinuousClock()
        var opened: TrafficStore?
        let opening = try clock.measure { opened = try TrafficStore(path: path, access: .reading) }
        guard let store = opened else { return }
        defer { try? store.close() }
        var sql = Configuration()
        sql.readonly = true
        let database = try DatabaseQueue(path: path, configuration: sql)
        var total = 0
        let first = try clock.measure { total = try store.list(ListingQuery()).total }
        print(
            "\(path): \(total) exchanges; opened in \(Figures.milliseconds(opening)) ms, first listing \(Figures.milliseconds(first)) ms"
        )
        print("   all ms  page ms  over ms   sql ms    found  question")
        var worst: [BenchmarkQuery.Kind: Double] = [:]
        for query in BenchmarkQuery.all where only.map(query.text.contains) ?? true {
            let filter = try FilterParser.parse(query.text, now: Int64(Date().timeIntervalSince1970 * 1e6))
            let counts = query.kind == .selections || query.kind == .lines
            var matched = 0
            let whole = try median {
                matched = try store.list(ListingQuery(filter: filter, countsFacets: counts)).matched
            }
            let page = try median { _ = try store.page(ListingQuery(filter: filter, countsFacets: false)) }
            let overview = try median { _ = try store.overview(filter, slots: 400) }
            var beside = "       –"
            if let sql = query.sql, !withoutSQL {
                let took = try median { _ = try database.read { try Row.fetchAll($0, sql: sql).count } }
                beside = QueriesBenchmark.column(took)
            }
            worst[query.kind] = max(worst[query.kind] ?? 0, whole)
            let found = String(repeating: " ", count: max(0, 8 - "\(matched)".count)) + "\(matched)"
            print(
                "\(QueriesBenchmark.column(whole)) \(QueriesBenchmark.column(page)) \(QueriesBenchmark.column(overview)) \(beside) \(found)  \(query.text.isEmpty ? "(everything)" : query.text)"
            )
        }
        for kind in BenchmarkQuery.Kind.allCases {
            if let worst = worst[kind] { print("worst of \(kind.rawValue): \(String(format: "%.1f", worst)) ms") }
        }
        print("greatest memory so far: \(Figures.greatestMemory >> 20) MB, SQL's included")
    }

    private static func column(_ milliseconds: Double) -> String { String(format: "%8.1f", milliseconds) }

    private func median(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try clock.measure(body) / .milliseconds(1)) }
        return times.sorted()[times.count / 2]
    }
}
