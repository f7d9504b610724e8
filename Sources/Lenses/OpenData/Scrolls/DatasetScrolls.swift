import Traffic

/// Finds, among exchanges that are given oldest first, the pages that belong together.
struct DatasetScrolls {
    /// Pages of one list in the order they were asked for.
    private struct Run {
        let request: String
        var pages: [ScrollPage] = []
        /// Whether a page from the top is there that did not fail.
        var hasTop = false

        mutating func add(_ page: ScrollPage) {
            pages.append(page)
            if page.start == 0, page.rows != nil { hasTop = true }
        }
    }

    private var runs: [Run] = []
    /// The last of each list.
    private var places: [String: Int] = [:]

    /// Adds an exchange; one that asks for no page is passed over.
    ///
    /// A page from the top begins anew, unless the one before it failed.
    mutating func add(_ reading: CKANReading, _ capture: Capture) {
        guard let page = ScrollPage(reading, exchange: capture.id) else { return }
        let key = "\(capture.exchange.host):\(capture.exchange.port) \(reading.request.listKey)"
        if let place = places[key], page.start > 0 || !runs[place].hasTop { return runs[place].add(page) }
        places[key] = runs.count
        var run = Run(request: reading.request.listSentence)
        run.add(page)
        runs.append(run)
    }

    /// The lists, in the order they were begun.
    var scrolls: [DatasetScroll] { runs.map { DatasetScroll(request: $0.request, pages: $0.pages) } }
}
