package import Foundation
package import Traffic

/// A dataset of the portal, read from a CKAN package; a value that the package leaves out is empty or `nil`.
package struct Dataset: Sendable, Equatable, Identifiable {
    /// The dataset's id; the name where the package has no id.
    package let id: String
    /// The word that the dataset's address ends with.
    package let name: String
    package let title: String
    package let notes: String?
    /// The division that publishes the dataset.
    package let division: String?
    /// The category, which the app calls type: Map, Table or Document.
    package let category: String?
    /// The refresh rate, as written.
    package let refreshRate: String?
    package let formats: [String]
    package let topics: [String]
    package let civicIssues: [String]
    package let tags: [String]
    package let licence: String?
    package let isRetired: Bool
    package let resources: [DatasetResource]
    package let lastRefreshed: Date?
    package let created: Date?
    package let modified: Date?

    /// Reads a package; `nil` where the value has neither an id nor a name.
    package init?(_ package: JSONValue) {
        let name = Dataset.text(package["name"])
        guard let id = Dataset.text(package["id"]) ?? name else { return nil }
        self.id = id
        self.name = name ?? id
        title = Dataset.text(package["title"]) ?? self.name
        notes = Dataset.text(package["notes"]) ?? Dataset.text(package["excerpt"])
        division = Dataset.text(package["owner_division"])
        category = Dataset.text(package["dataset_category"])
        refreshRate = Dataset.text(package["refresh_rate"])
        formats = Dataset.words(package["formats"])
        topics = Dataset.words(package["topics"])
        civicIssues = Dataset.words(package["civic_issues"])
        tags = (package["tags"]?.elements ?? []).compactMap {
            Dataset.text($0["display_name"]) ?? Dataset.text($0["name"]) ?? Dataset.text($0)
        }
        licence = Dataset.text(package["license_title"]) ?? Dataset.text(package["license_id"])
        isRetired = Dataset.flag(package["is_retired"]) ?? false
        resources = (package["resources"]?.elements ?? []).compactMap { DatasetResource($0) }
        lastRefreshed = Dataset.date(package["last_refreshed"])
        created = Dataset.date(package["metadata_created"])
        modified = Dataset.date(package["metadata_modified"])
    }

    /// The address of the dataset's page for people, which the app's share button gives.
    package var link: String { "https://open.toronto.ca/dataset/\(name)/" }

    /// When the content was last renewed, as far as it is known.
    package var refreshed: Date? { lastRefreshed ?? modified }

    /// Whether the content is as new as the refresh rate promises.
    package func freshness(at moment: Date) -> DatasetFreshness {
        if isRetired { return .retired }
        guard let refreshRate, let rate = RefreshRate(refreshRate) else { return .unknown }
        guard let period = rate.period else { return .unscheduled }
        guard let refreshed else { return .unknown }
        let late = moment.timeIntervalSince(refreshed) - period - RefreshRate.grace(of: period)
        return late > 0 ? .stale(late: late) : .fresh
    }

    /// The dataset's values of a facet.
    package func values(of facet: DatasetFacet) -> [String] {
        switch facet {
        case .topics: topics
        case .formats: formats
        case .civicIssues: civicIssues
        case .tags: tags
        case .division: [division].compactMap { $0 }
        case .refresh: [refreshRate].compactMap { $0 }
        case .type: [category].compactMap { $0 }
        case .licence: [licence].compactMap { $0 }
        }
    }

    /// The text of a string; `nil` where it is none, or empty.
    static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.string, text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    /// The words of a list of strings, or of the one string with commas that older answers have.
    static func words(_ value: JSONValue?) -> [String] {
        let parts = value?.elements?.compactMap(\.string) ?? value?.string?.split(separator: ",").map(String.init) ?? []
        return parts.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.filter { !$0.isEmpty }
    }

    /// The truth value of a boolean, or of the word for one.
    static func flag(_ value: JSONValue?) -> Bool? {
        switch value?.string?.lowercased() {
        case "true"?, "yes"?, "1"?: true
        case "false"?, "no"?, "0"?: false
        default: value?.boolean
        }
    }

    /// The moment of a date as CKAN writes it: UTC without an offset.
    static func date(_ value: JSONValue?) -> Date? {
        value?.string.flatMap(Timestamp.microseconds).map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }
}
