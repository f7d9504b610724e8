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

/// What kind of place a facility is, by name.
struct FacilityKind: Sendable, Equatable {
    let id: Int
    let created: Date
    let modified: Date
    let name: String
}

/// A notice for everyone, shown between two instants.
struct Alert: Sendable, Equatable {
    let id: Int
    let created: Date
    let modified: Date
    let urgency: String
    let subject: String
    let body: String
    let url: String
    let start: Date
    let end: Date

    /// Whether the alert is due at an instant, both ends included, as the server's filter has it.
    func isActive(at now: Date) -> Bool {
        start <= now && now <= end
    }
}
