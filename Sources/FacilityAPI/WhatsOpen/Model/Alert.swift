import Foundation

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
