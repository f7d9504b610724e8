import Foundation

/// What kind of place a facility is, by name.
struct FacilityKind: Sendable, Equatable {
    let id: Int
    let created: Date
    let modified: Date
    let name: String
}
