import Foundation

/// A facet by which datasets are counted and selected.
package enum DatasetFacet: String, Sendable, CaseIterable {
    case topics
    case formats
    case civicIssues = "civic_issues"
    case tags
    case division
    case refresh
    case type
    case licence

    /// Reads a facet's word, its singular, or the portal's name of the field.
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

    /// The option of the place that selects by the facet; `tag` and `type` are keys of the filter already.
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

    /// The portal's name of the field.
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
