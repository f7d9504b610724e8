import Traffic

extension DatasetCatalogue {
    /// The names of the lenses that read the portal.
    private static let lenses: Set = [CKANLens().name, NoticesLens().name]

    /// Reads all that captured exchanges show of the portal.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    /// - Throws: `PlaceProblem` where the one exchange that is asked for is not there or not with the portal, and what the walk throws.
    init(in walk: some CaptureWalk, _ source: CaptureSelection) throws {
        self.init()
        if case .one(let id) = source {
            guard try add(walk.capture(id)) else { throw PlaceProblem.notOfPortal(id) }
            return
        }
        var visits: [CaptureVisit] = []
        isWhole = try walk.answers(source, where: DatasetCatalogue.mayBeOurs) { visit in
            // Only the body tells whether an exchange that no lens has named is with the portal.
            if visit.summary.lens == nil {
                guard let capture = try visit.capture() else { return .unread }
                guard DatasetCatalogue.lens(of: capture) != nil else { return .other }
            }
            visits.append(visit)
            return DatasetCatalogue.mayShow(visit.summary) ? .read : .other
        }
        // Adds the oldest exchange first, and holds the bodies of only one at a time.
        for visit in visits.reversed() {
            try Task.checkCancellation()
            if let capture = try visit.capture() { _ = add(capture) }
        }
    }

    /// Adds what an exchange shows; `false` for one that is not with the portal.
    private mutating func add(_ capture: Capture) -> Bool {
        guard let lens = DatasetCatalogue.lens(of: capture) else { return false }
        add(capture, lens: lens)
        return true
    }

    /// The name of the lens that reads an exchange with the portal; `nil` for any other exchange.
    private static func lens(of capture: Capture) -> String? {
        LensSet.standard.lens(of: capture).map(\.name).flatMap { lenses.contains($0) ? $0 : nil }
    }

    /// Whether an exchange is worth reading: it has an answer, and is with the portal; an exchange without a lens may be older than lenses.
    private static func mayBeOurs(_ summary: ExchangeSummary) -> Bool {
        guard summary.code != nil, summary.outcome != .tunnelled else { return false }
        if let lens = summary.lens { return lenses.contains(lens) }
        return summary.mediaType?.contains("json") ?? summary.target.contains("/action/")
    }

    /// Whether an answer may show more than that it failed: it succeeded, and has a body.
    private static func mayShow(_ summary: ExchangeSummary) -> Bool {
        summary.responseBytes > 0 && summary.code.map { (200..<300).contains($0) } ?? false
    }
}
