import Foundation

/// A dataset of the open-data portal.
struct Dataset: Sendable, Equatable {
    let number: Int
    let name: String
    let title: String
    let notes: String
    let division: String
    let category: String
    let refreshRate: String
    let formats: [String]
    let topics: [String]
    let civicIssues: [String]
    let tags: [String]
    let recordCount: Int
    let created: Date
    let modified: Date

    /// An id in the shape of a UUID, the same every time.
    var id: String { Self.id(kind: 0xA, number: number) }

    /// The id of the dataset's n-th resource.
    func resourceID(_ position: Int) -> String { Self.id(kind: 0xB + position, number: number) }

    /// The values of a field a filter or facet can name; nil for a field that is not indexed.
    func values(of field: String) -> [String]? {
        switch field {
        case "name": [name]
        case "title": [title]
        case "id": [id]
        case "owner_division": [division]
        case "dataset_category": [category]
        case "refresh_rate": [refreshRate]
        case "formats", "res_format": formats
        case "topics": topics
        case "civic_issues": civicIssues
        case "tags": tags
        case "organization": ["city-of-toronto"]
        default: nil
        }
    }

    private static func id(kind: Int, number: Int) -> String {
        let tail = String(number * 7_368_787 + kind * 104_729, radix: 16)
        let head = String(0x5000_0000 + number * 15_485_863 + kind * 32_452_843, radix: 16)
        let padded = String(repeating: "0", count: max(0, 12 - tail.count)) + tail
        return "\(head.suffix(8))-4f5a-4\(String(kind + 0x100, radix: 16))-9c1e-\(padded)"
    }
}
