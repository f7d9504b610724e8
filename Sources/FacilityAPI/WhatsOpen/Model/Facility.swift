import Foundation

/// A facility as it is kept: its place, kind and schedules by their ids.
struct Facility: Sendable, Equatable {
    let slug: String
    let name: String
    let logo: String
    let placeID: Int
    let kindID: Int
    let phone: String
    let tags: [String]
    let labels: [String]
    let classifier: String
    let tapingoURL: String
    let note: String
    let mainScheduleID: Int?
    let specialScheduleIDs: [Int]
    let modified: Date
}
