package import Foundation
import Traffic

/// The view of one dataset: what it is, how fresh it is, and where its content is.
package struct DatasetCard {
    private let dataset: Dataset
    private let moment: Date

    /// Makes the card of a dataset, with ages counted back from a moment.
    package init(_ dataset: Dataset, at moment: Date) { (self.dataset, self.moment) = (dataset, moment) }

    /// The parts of the card: the dataset's fields, its notes, its files.
    package var sections: [LensSection] {
        var sections = [LensSection(dataset.title, .fields(fields))]
        if let notes = dataset.notes { sections.append(LensSection("Notes", .text(notes))) }
        if !dataset.resources.isEmpty {
            let rows = dataset.resources.map { resource in
                [
                    LensText(resource.name), LensText(resource.format ?? "-"),
                    LensText(resource.recordCount.map { String($0) } ?? "-"),
                    LensText(resource.isInDatastore ? "yes" : "no"), LensText(resource.url ?? "none", .faint),
                ]
            }
            let table = LensTable(columns: ["name", "format", "records", "rows readable", "url"], rows: rows)
            sections.append(LensSection("Resources", .table(table)))
        }
        return sections
    }

    private var fields: [LensField] {
        let freshness = dataset.freshness(at: moment)
        let known: [(String, String?)] = [
            ("Division", dataset.division), ("Type", dataset.category),
            ("Formats", DatasetCard.joined(dataset.formats)),
            ("Topics", DatasetCard.joined(dataset.topics)), ("Civic issues", DatasetCard.joined(dataset.civicIssues)),
            ("Tags", DatasetCard.joined(dataset.tags)), ("Refresh rate", dataset.refreshRate),
        ]
        var fields = known.compactMap { name, value in value.map { LensField(name, $0) } }
        fields.append(LensField("Last refreshed", DatasetCard.moment(dataset.refreshed, at: moment)))
        fields.append(LensField("Content", LensText(freshness.sentence, freshness.tone)))
        fields.append(
            LensField("Licence", LensText(dataset.licence ?? "none named", dataset.licence == nil ? .warning : .plain))
        )
        fields.append(LensField("Share link", dataset.link))
        fields.append(LensField("Id", dataset.id))
        return fields
    }

    /// The words for a moment: its day, and how long before another moment it was.
    static func moment(_ date: Date?, at moment: Date) -> String {
        guard let date else { return "unknown" }
        let age = moment.timeIntervalSince(date)
        let day = Timestamp.text(microseconds: Moment.microseconds(date)).prefix(10)
        return age < 0 ? "\(day), \(DatasetFreshness.age(-age)) ahead" : "\(day), \(DatasetFreshness.age(age)) ago"
    }

    private static func joined(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
}

extension LensTable {
    /// The columns of a list of datasets.
    static let datasetColumns = ["title", "division", "refresh rate", "formats", "refreshed", "content", "name"]

    /// A dataset's row in such a list.
    static func row(_ dataset: Dataset, at moment: Date) -> [LensText] {
        let freshness = dataset.freshness(at: moment)
        return [
            LensText(dataset.title), LensText(dataset.division ?? "-"), LensText(dataset.refreshRate ?? "-"),
            LensText(dataset.formats.isEmpty ? "-" : dataset.formats.joined(separator: ", ")),
            LensText(DatasetCard.moment(dataset.refreshed, at: moment)), LensText(freshness.word, freshness.tone),
            LensText(dataset.name, .faint),
        ]
    }
}
