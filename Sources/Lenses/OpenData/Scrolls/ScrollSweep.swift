/// A pass over the pages of a list from its first row to its last, which tells which pages have the current row.
///
/// The pass comes to each page only a few times, however many pages have the same rows: a list may be asked for again and again.
struct ScrollSweep {
    /// The most pages of the same rows that are named.
    static let namedLimit = 8

    /// The pages in the order of their rows.
    private let pages: [ScrollPage]
    /// For each page, how many pages before it brought rows.
    private let before: [Int]
    /// The ends of the pages that brought rows, ascending, and how many of these pages have been passed.
    private let ends: [Int]
    private var passed = 0
    /// The first pages that have the row, and the next page that may join them.
    private var named: [Int] = []
    private var next = 0
    /// The pages that failed and the pages that did not, each with how many of them have been passed.
    private let failed: [ScrollPage]
    private let answered: [ScrollPage]
    private var passedFailed = 0
    private var passedAnswered = 0

    /// - Parameter pages: the pages in the order of their rows.
    init(_ pages: [ScrollPage]) {
        self.pages = pages
        var before: [Int] = []
        var ends: [Int] = []
        for page in pages {
            before.append(ends.count)
            if page.end > page.start { ends.append(page.end) }
        }
        self.before = before
        self.ends = ends.sorted()
        failed = pages.filter { $0.rows == nil }
        answered = pages.filter { $0.rows != nil }
    }

    /// The pages before a page that have its first row too: the first of them, and their count.
    ///
    /// - Parameter index: the page's index; later calls may not give a smaller one.
    /// - Returns: the pages.
    mutating func others(before index: Int) -> (first: [ScrollPage], count: Int) {
        let pages = pages
        let start = pages[index].start
        while passed < ends.count, ends[passed] <= start { passed += 1 }
        named.removeAll { pages[$0].end <= start }
        while named.count < ScrollSweep.namedLimit, next < index {
            if pages[next].end > start { named.append(next) }
            next += 1
        }
        return (named.map { pages[$0] }, before[index] - passed)
    }

    /// The first failed page that begins at a row or after it; later calls may not give a smaller row.
    mutating func failedPage(from row: Int) -> ScrollPage? {
        while passedFailed < failed.count, failed[passedFailed].start < row { passedFailed += 1 }
        return passedFailed < failed.count ? failed[passedFailed] : nil
    }

    /// The last answered page that begins before a row; later calls may not give a smaller row.
    mutating func answeredPage(before row: Int) -> ScrollPage? {
        while passedAnswered < answered.count, answered[passedAnswered].start < row { passedAnswered += 1 }
        return passedAnswered > 0 ? answered[passedAnswered - 1] : nil
    }
}

extension ScrollPage {
    /// The row after the page's last.
    fileprivate var end: Int { start + (rows?.count ?? 0) }
}
