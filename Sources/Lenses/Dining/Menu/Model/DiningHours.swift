package import Foundation
import Traffic

/// The hours in which a hall serves a meal, by the wall clocks on campus.
package struct DiningHours: Hashable, Sendable {
    /// Whether a meal is served at an instant, and until or from when.
    package enum State: Hashable, Sendable {
        case open(until: Date)
        case opens(Date)
        case closed
        /// Never: the hall closes before it opens, or as it opens.
        case never
    }

    /// The hour of opening, from the day's midnight; hours from 24 on are of the days after.
    package let openHour: Int
    package let openMinute: Int
    package let closeHour: Int
    package let closeMinute: Int

    /// The last hour that a day's record may name: that of two days later.
    private static let hourLimit = 72

    package init(openHour: Int, openMinute: Int, closeHour: Int, closeMinute: Int) {
        self.openHour = openHour
        self.openMinute = openMinute
        self.closeHour = closeHour
        self.closeMinute = closeMinute
    }

    /// Reads `openHour`, `openMin`, `closeHour` and `closeMin` of a hall; `nil` where a member is missing or no time of day.
    init?(_ hall: JSONValue) {
        func number(_ name: String, below limit: Int) -> Int? {
            guard let value = hall[name]?.number, let whole = Int(exactly: value) else { return nil }
            return (0..<limit).contains(whole) ? whole : nil
        }
        guard let openHour = number("openHour", below: Self.hourLimit), let openMinute = number("openMin", below: 60),
            let closeHour = number("closeHour", below: Self.hourLimit), let closeMinute = number("closeMin", below: 60)
        else { return nil }
        self.init(openHour: openHour, openMinute: openMinute, closeHour: closeHour, closeMinute: closeMinute)
    }

    /// Whether the hall closes after it opens.
    package var isOrdered: Bool { (openHour, openMinute) < (closeHour, closeMinute) }

    /// `07:00–11:00`, `21:00–02:00 next day`.
    package var text: String {
        let days = closeHour / 24 - openHour / 24
        let later = days <= 0 ? "" : days == 1 ? " next day" : " \(days) days later"
        return "\(CampusTime.clock(openHour % 24, openMinute))–\(CampusTime.clock(closeHour % 24, closeMinute))\(later)"
    }

    /// The time in which the hall serves the meal on a day, without its end; `nil` where there is none.
    package func interval(on day: CampusDay) -> Range<Date>? {
        guard isOrdered, let opens = day.time(hour: openHour, minute: openMinute),
            let closes = day.time(hour: closeHour, minute: closeMinute), opens < closes
        else { return nil }
        return opens..<closes
    }

    /// Whether the meal of a day is served at an instant, and until or from when.
    package func state(on day: CampusDay, at instant: Date) -> State {
        guard let interval = interval(on: day) else { return .never }
        if interval.contains(instant) { return .open(until: interval.upperBound) }
        return instant < interval.lowerBound ? .opens(interval.lowerBound) : .closed
    }
}
