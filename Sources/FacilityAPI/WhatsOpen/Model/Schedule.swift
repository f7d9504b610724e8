import Foundation

/// A schedule of opening times: weekly entries, perhaps only between two dates.
struct Schedule: Sendable, Equatable {
    let id: Int
    var openTimes: [OpenTime]
    var modified: Date
    var name: String
    var validStart: Date?
    var validEnd: Date?
    var isTwentyFourHours: Bool

    /// Whether both dates are set and an instant lies between them, ends included.
    func isInForce(at now: Date) -> Bool {
        guard let validStart, let validEnd else { return false }
        return validStart <= now && now <= validEnd
    }
}
