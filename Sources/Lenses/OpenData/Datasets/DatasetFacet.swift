import Foundation

/// What datasets are counted and selected by.
package enum DatasetFacet: String, Sendable, CaseIterable {
    case topics
    case formats
    case civicIssues = "civic_issues"
    case tags
    case division
    case refresh
    case type
    case licence

    /// The facet of a word, which may also be the portal's name of the field, or singular.
    package init?(named word: String) {
        let word = word.lowercased().replacingOccurrences(of: "-", with: "_")
        let names: [String: DatasetFacet] = [
            "topic": .topics, "format": .formats, "res_format": .formats, "civic_issue": .civicIssues,
            "issues": .civicIssues,
            "tag": .tags, "owner_division": .division, "publisher": .division, "divisions": .division,
            "refresh_rate": .refresh, "dataset_category": .type, "category": .type, "types": .type, "license": .licence,
        ]
        guard let facet = DatasetFacet(rawValue: word) ?? names[word] else { return nil }
        self = facet
    }

    /// The option of the place that selects by it; `tag` and `type` are keys of the filter.
    var option: String {
        switch self {
        case .topics: "topic"
        case .formats: "format"
        case .civicIssues: "issue"
        case .tags: "label"
        case .type: "kind"
        case .division, .refresh, .licence: rawValue
        }
    }

    /// What the portal calls the field.
    package var field: String {
        switch self {
        case .topics, .formats, .tags: rawValue
        case .civicIssues: "civic_issues"
        case .division: "owner_division"
        case .refresh: "refresh_rate"
        case .type: "dataset_category"
        case .licence: "license_id"
        }
    }
}
