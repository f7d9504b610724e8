import Traffic

/// A collector of endless lists: finds which pages belong together, among exchanges that are added oldest first.
struct DatasetScrolls {
    /// The pages of one list, in the order of their requests.
    private struct Run {
        let request: String
        var pages: [ScrollPage] = []
        /// Whether the first page of the list is there and did not fail.
        var hasTop = false

        mutating func add(_ page: ScrollPage) {
            pages.append(page)
            if page.start == 0, page.rows != nil { hasTop = true }
        }
    }

    private var runs: [Run] = []
    /// The index of the last scroll of each list.
    private var places: [String: Int] = [:]

    /// Adds an exchange, unless it asks for no page of a list.
    ///
    /// A first page begins a new scroll, unless the first page before it failed.
    mutating func add(_ reading: CKANReading, _ capture: Capture) {
        guard let page = ScrollPage(reading, exchange: capture.id) else { return }
        let key = "\(capture.exchange.host):\(capture.exchange.port) \(reading.request.listKey)"
        if let place = places[key], page.start > 0 || !runs[place].hasTop { return runs[place].add(page) }
        places[key] = runs.count
        var run = Run(request: reading.request.listSentence)
        run.add(page)
        runs.append(run)
    }

    /// The scrolls, in the order in which they were begun.
    var scrolls: [DatasetScroll] { runs.map { DatasetScroll(request: $0.request, pages: $0.pages) } }
}
