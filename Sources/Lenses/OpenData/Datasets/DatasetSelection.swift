import Foundation

/// A selection of datasets and their order.
package struct DatasetSelection: Sendable {
    /// An order of datasets.
    package enum Order: String, Sendable, CaseIterable {
        case title, name, division, modified, refreshed
    }

    /// The wanted values: a dataset needs one of those of each facet.
    ///
    /// Case is ignored, and `*` stands for anything.
    package var values: [DatasetFacet: [String]] = [:]
    /// Words that must all be in the title, the name, the notes or the tags.
    package var words: [String] = []
    package var wantsStale = false
    package var wantsRetired = false
    package var wantsOpened = false
    package var wantsSaved = false
    package var order = Order.modified
    package var isDescending = true

    package init() {}

    /// The datasets of a catalogue that are wanted, in order.
    package func datasets(of catalogue: DatasetCatalogue) -> [DatasetSighting] {
        let found = catalogue.datasets.filter { sighting in
            if wantsStale, sighting.freshness.word != DatasetFreshness.stale(late: 0).word { return false }
            if wantsRetired, !sighting.dataset.isRetired { return false }
            if wantsOpened, !catalogue.isOpened(sighting.dataset) { return false }
            if wantsSaved, !catalogue.saved.contains(sighting.dataset.title) { return false }
            return matches(sighting.dataset)
        }
        // Equal datasets stay in the order of titles, whichever way the order goes.
        return found.enumerated().sorted { left, right in
            let (before, after) = isDescending ? (right.element, left.element) : (left.element, right.element)
            if isBefore(before.dataset, after.dataset) { return true }
            return !isBefore(after.dataset, before.dataset) && left.offset < right.offset
        }.map(\.element)
    }

    /// A wanted value that no dataset of a catalogue has.
    package func unknownValue(in catalogue: DatasetCatalogue) -> UnknownValue? {
        for facet in DatasetFacet.allCases {
            guard let wanted = values[facet], !wanted.isEmpty else { continue }
            let known = catalogue.datasets.flatMap { $0.dataset.values(of: facet) }
            let unknown = UnknownValue(facet.option, wanted, among: known) { DatasetSelection.matches($0, $1) }
            if let unknown { return unknown }
        }
        return nil
    }

    private func matches(_ dataset: Dataset) -> Bool {
        for (facet, wanted) in values where !wanted.isEmpty {
            let own = dataset.values(of: facet)
            guard wanted.contains(where: { want in own.contains { DatasetSelection.matches($0, want) } }) else {
                return false
            }
        }
        let text = ([dataset.title, dataset.name, dataset.notes ?? ""] + dataset.tags).joined(separator: "\n")
            .lowercased()
        return words.allSatisfy { text.contains($0.lowercased()) }
    }

    private func isBefore(_ left: Dataset, _ right: Dataset) -> Bool {
        switch order {
        case .title: left.title.lowercased() < right.title.lowercased()
        case .name: left.name < right.name
        case .division: (left.division ?? "").lowercased() < (right.division ?? "").lowercased()
        case .modified: (left.modified ?? .distantPast) < (right.modified ?? .distantPast)
        case .refreshed: (left.refreshed ?? .distantPast) < (right.refreshed ?? .distantPast)
        }
    }

    /// Whether a value matches a wanted one: the parts between stars must stand in the value in their order.
    static func matches(_ value: String, _ wanted: String) -> Bool {
        let value = value.lowercased()
        let parts = wanted.lowercased().split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else {
            return value == wanted.lowercased()
        }
        guard value.hasPrefix(first), value.count >= first.count + last.count else { return false }
        var rest = value.dropFirst(first.count)
        guard rest.hasSuffix(last) else { return false }
        rest = rest.dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
