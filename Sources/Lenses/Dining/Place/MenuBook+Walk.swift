import Traffic

extension MenuBook {
    /// Reads the newest menu of each day from captured CloudKit answers.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    /// - Throws: `PlaceProblem` where one exchange is asked for that is not there or holds no menu, and what the walk throws.
    init(in walk: some CaptureWalk, _ source: CaptureSelection) throws {
        self.init()
        if case .one(let id) = source {
            try add(only: walk.capture(id))
            return
        }
        isWhole = try walk.answers(source, where: MenuBook.mayHoldMenus) { visit in
            guard let capture = try visit.capture() else { return .unread }
            return add(capture) ? .read : .other
        }
    }

    private mutating func add(only capture: Capture) throws(PlaceProblem) {
        guard LensSet.standard.lens(of: capture)?.name == DiningMenuLens().name else {
            throw .noCloudKit(capture.id)
        }
        add(capture)
        if isEmpty { throw .noMenu(capture.id, reason: problems.first) }
    }

    /// Whether an exchange may hold menus, judged by its lens, or by its path where it has none.
    private static func mayHoldMenus(_ row: ExchangeSummary) -> Bool {
        guard let code = row.code, (200..<300).contains(code) else { return false }
        return row.lens.map { $0 == DiningMenuLens().name } ?? row.target.contains("/records/")
    }
}
