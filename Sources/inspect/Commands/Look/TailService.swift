import Archive
import ServiceLifecycle
import Store
import Traffic

/// Follows a store that another process writes, and prints what is new.
///
/// It is no `Report`: its rows have no end, and each is written out when it comes. A row is that of `inspect ls`, as a line or as JSON; on a terminal
/// the line of a day stands above its first row.
struct TailService: Service {
    /// How often the store is asked.
    private static let pollInterval = Duration.milliseconds(100)
    /// Rows read at a time.
    private static let pageRows = 1000
    /// Open exchanges that are followed to their end; of more than this at once, the oldest are left.
    private static let openLimit = 4096

    let store: TrafficStore
    let filter: Filter
    /// How many of the newest rows to begin with.
    let last: Int
    let printsJSON: Bool
    let colours: ColourChoice

    func run() async throws {
        let console = Console(colours: colours)
        var table = ListingTable(in: console.layout)
        table.fitAnyRows()
        var position = try store.list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
        var open = try openExchanges()
        if !printsJSON { try console.line(table.heading) }
        let first = try store.list(ListingQuery(filter: filter, limit: last, countsFacets: false)).exchanges
        position = max(position, first.first?.id ?? 0)
        try print(first.reversed(), &open, console, &table)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let ended = try store.summaries(of: open).filter { $0.outcome != .pending }
            open.removeAll { id in ended.contains { $0.id == id } }
            try print(ended, &open, console, &table)
            let fresh = try store.summaries(after: position, limit: TailService.pageRows).filter { $0.id > position }
            position = fresh.last?.id ?? position
            try print(fresh, &open, console, &table)
            if fresh.count < TailService.pageRows { await pause() }
        }
    }

    /// The exchanges that were open before: their end is news too.
    private func openExchanges() throws -> [ExchangeID] {
        var filter = Filter()
        filter.select(.exactly(Outcome.pending.rawValue), in: .outcome)
        let query = ListingQuery(filter: filter, limit: TailService.openLimit, countsFacets: false)
        return try store.list(query).exchanges.map(\.id).reversed()
    }

    /// Waits for the next look, or for the end.
    private func pause() async {
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: TailService.pollInterval) }
    }

    private func print(
        _ rows: some Sequence<ExchangeSummary>,
        _ open: inout [ExchangeID],
        _ console: Console,
        _ table: inout ListingTable
    ) throws {
        let rows = Array(rows)
        let selected = try store.selected(by: filter, of: rows)
        for row in rows {
            if row.outcome == .pending, !open.contains(row.id) { open.append(row.id) }
            guard selected.contains(row.id) else { continue }
            if printsJSON {
                try console.write(ListingJSON.line(row))
            } else {
                if let day = table.day(of: row) { try console.line(day) }
                try console.line(table.line(row))
            }
        }
        open.removeFirst(max(0, open.count - TailService.openLimit))
        try console.flush()
    }
}
