import Foundation

/// A location: a building, where it stands, and which campus it belongs to.
struct Place: Sendable, Equatable {
    let id: Int
    let created: Date
    let modified: Date
    let building: String
    let friendlyBuilding: String
    let address: String
    let campusRegion: String
    let isOnCampus: Bool
    let longitude: Double
    let latitude: Double
}
