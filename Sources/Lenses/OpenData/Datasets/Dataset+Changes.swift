import Foundation
import Traffic

extension Dataset {
    /// The changes between two answers, a sentence each; datasets are matched by id.
    static func changes(from before: [Dataset], to after: [Dataset]) -> [String] {
        let old = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(after.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var seen: Set<String> = []
        var sentences: [String] = []
        for dataset in after where seen.insert(dataset.id).inserted {
            if let previous = old[dataset.id] {
                sentences += dataset.changes(since: previous).map { "\(dataset.title): \($0)" }
            } else {
                sentences.append("\(dataset.title): came new")
            }
        }
        for dataset in before where new[dataset.id] == nil && seen.insert(dataset.id).inserted {
            sentences.append("\(dataset.title): is gone")
        }
        return sentences
    }

    private func changes(since previous: Dataset) -> [String] {
        func change(_ name: String, _ old: String?, _ new: String?) -> String? {
            old == new ? nil : "\(name) \(old ?? "none") → \(new ?? "none")"
        }
        func list(_ words: [String]) -> String? { words.isEmpty ? nil : words.joined(separator: ", ") }
        func moment(_ date: Date?) -> String? {
            date.map { String(Timestamp.text(microseconds: Moment.microseconds($0)).prefix(16)) }
        }
        func records(_ dataset: Dataset) -> String? {
            list(dataset.resources.compactMap { $0.recordCount.map { String($0) } })
        }
        return [
            change("title", previous.title, title), change("name", previous.name, name),
            change("division", previous.division, division), change("refresh rate", previous.refreshRate, refreshRate),
            change("type", previous.category, category), change("formats", list(previous.formats), list(formats)),
            change("topics", list(previous.topics), list(topics)),
            change("civic issues", list(previous.civicIssues), list(civicIssues)),
            change("tags", list(previous.tags), list(tags)), change("licence", previous.licence, licence),
            change("retired", previous.isRetired ? "yes" : "no", isRetired ? "yes" : "no"),
            change("last refreshed", moment(previous.lastRefreshed), moment(lastRefreshed)),
            change("records", records(previous), records(self)),
            change(
                "resources",
                list(previous.resources.compactMap(\.url)).map { _ in "\(previous.resources.count)" },
                list(resources.compactMap(\.url)).map { _ in "\(resources.count)" }
            ),
        ].compactMap { $0 }
    }
}
