/// The pages of a list while it is gone through from its first row to its last: which of them have the row that one is at.
///
/// Every page is come to a few times in all, however many there are of the same rows: a list may be asked for again and again.
struct ScrollSweep {
    /// Pages of the same rows that are named.
    static let namedLimit = 8

    /// In the order of their rows.
    private let pages: [ScrollPage]
    /// For each page how many before it brought rows.
    private let before: [Int]
    /// Where the pages that brought rows end, ascending, and how many of them have been passed.
    private let ends: [Int]
    private var passed = 0
    /// The first pages that have the row, and the next one that may take its place among them.
    private var named: [Int] = []
    private var next = 0
    /// The pages that failed, and those that did not, each with how many of them have been passed.
    private let failed: [ScrollPage]
    private let answered: [ScrollPage]
    private var passedFailed = 0
    private var passedAnswered = 0

    /// - Parameter pages: in the order of their rows.
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

    /// The pages before one that have its first row too: the first of them, and how many they are.
    ///
    /// - Parameter index: the page's place; no smaller one may be asked for afterwards.
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

    /// The first failed page that begins at a row or after it; no smaller row may be asked for afterwards.
    mutating func failedPage(from row: Int) -> ScrollPage? {
        while passedFailed < failed.count, failed[passedFailed].start < row { passedFailed += 1 }
        return passedFailed < failed.count ? failed[passedFailed] : nil
    }

    /// The last answered page that begins before a row; no smaller row may be asked for afterwards.
    mutating func answeredPage(before row: Int) -> ScrollPage? {
        while passedAnswered < answered.count, answered[passedAnswered].start < row { passedAnswered += 1 }
        return passedAnswered > 0 ? answered[passedAnswered - 1] : nil
    }
}

extension ScrollPage {
    /// The row after its last.
    fileprivate var end: Int { start + (rows?.count ?? 0) }
}
