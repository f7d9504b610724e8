import Foundation

/// A kind of facility, by name.
struct FacilityKind: Sendable, Equatable {
    let id: Int
    let created: Date
    let modified: Date
    let name: String
}
