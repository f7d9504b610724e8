import Traffic

/// Finds, among exchanges that are given oldest first, the pages that belong together.
struct DatasetScrolls {
    /// Pages of one list in the order they were asked for.
    private struct Run {
        let request: String
        var pages: [ScrollPage]
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
        if let place = places[key],
            page.start > 0 || !runs[place].pages.contains(where: { $0.start == 0 && $0.rows != nil })
        {
            runs[place].pages.append(page)
        } else {
            places[key] = runs.count
            runs.append(Run(request: reading.request.listSentence, pages: [page]))
        }
    }

    /// The lists, in the order they were begun.
    var scrolls: [DatasetScroll] { runs.map { DatasetScroll(request: $0.request, pages: $0.pages) } }
}
