import Traffic

/// The captured answers of What's Open, whatever host gave them.
struct CampusAnswers<Walk: CaptureWalk> {
    private let walk: Walk

    init(_ walk: Walk) { self.walk = walk }

    /// Gives answers that succeeded, the newest first, until told to stop or a bound of `PlaceBound` is reached.
    ///
    /// An answer to a request for another resource is not read; a path that is not the API's does not tell.
    ///
    /// - Returns: whether no answer was left out that might have been wanted.
    func each(
        _ source: CaptureSelection,
        of resource: WhatsOpenResource,
        _ give: (Capture, WhatsOpenAnswer) -> PlaceStep
    ) throws -> Bool {
        try walk.answers(source, where: { mayBeOurs($0, of: resource) }) { visit in
            guard let capture = try visit.capture() else { return .unread }
            return answer(capture).map { give(capture, $0) } ?? .other
        }
    }

    /// What the answer of one exchange holds.
    ///
    /// - Parameters:
    ///   - id: the exchange's number.
    ///   - what: the words for the elements.
    ///   - elements: finds the elements in an answer; `nil` where it has none.
    /// - Returns: the answer, and its elements.
    /// - Throws: `PlaceProblem` where the exchange is not there or holds none, and what the walk throws.
    func only<Element>(
        _ id: ExchangeID,
        _ what: String,
        _ elements: (WhatsOpenAnswer) -> [Element]?
    ) throws -> (source: CampusSource, elements: [Element]) {
        let capture = try walk.capture(id)
        guard let found = answer(capture).flatMap(elements) else {
            throw PlaceProblem.notOfPlace(id, what: "\(what) of What's Open")
        }
        return (CampusSource(capture), found)
    }

    /// Whether an exchange is worth reading; an exchange without a lens may be older than lenses.
    private func mayBeOurs(_ row: ExchangeSummary, of resource: WhatsOpenResource) -> Bool {
        guard row.code == 200, row.method.uppercased() == "GET", row.responseBytes > 0 else { return false }
        let isOurs =
            row.lens.map { $0 == WhatsOpenLens().name }
            ?? (row.mediaType?.contains("json") == true || row.target.contains("/\(resource.rawValue)"))
        return isOurs && WhatsOpenResource.asked(row.target).map { $0 == resource } ?? true
    }

    private func answer(_ capture: Capture) -> WhatsOpenAnswer? {
        guard capture.exchange.code == 200, LensSet.standard.lens(of: capture)?.name == WhatsOpenLens().name else {
            return nil
        }
        return WhatsOpenAnswer(capture)
    }
}
