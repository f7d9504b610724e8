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
        var follower = try RowFollower(store, filter: filter)
        if !printsJSON { try console.line(table.heading) }
        try print(follower.newest(last), console, &table)
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let news = try follower.next()
            try print(news.rows, console, &table)
            if !news.isMore { await pause() }
        }
    }

    /// Waits for the next look, or for the end.
    private func pause() async {
        await cancelWhenGracefulShutdown { try? await Task.sleep(for: TailService.pollInterval) }
    }

    private func print(_ rows: [ExchangeSummary], _ console: Console, _ table: inout ListingTable) throws {
        for row in rows {
            if printsJSON {
                try console.write(ListingJSON.line(row))
            } else {
                if let day = table.day(of: row) { try console.line(day) }
                try console.line(table.line(row))
            }
        }
        try console.flush()
    }
}
