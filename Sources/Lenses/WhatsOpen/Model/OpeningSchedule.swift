package import Foundation
package import Traffic

/// A schedule of a facility's weekly hours, in force always or for a window of dates.
package struct OpeningSchedule: Sendable, Equatable {
    /// The most entries that are read of one schedule; real schedules have some twenty.
    private static let entryLimit = 500

    package let id: Int?
    package let name: String
    package let entries: [OpeningEntry]
    package let validStart: WireDate?
    package let validEnd: WireDate?
    package let isTwentyFourHours: Bool
    /// The value's place in the body (RFC 6901).
    package let pointer: String
    /// Remarks on what is missing, wrong or odd, in the entries too.
    package let warnings: [DataWarning]

    /// Reads a value, whatever is missing in it.
    ///
    /// - Parameters:
    ///   - value: the object.
    ///   - pointer: its place in the body.
    ///   - isSpecial: whether it needs a window.
    package init(_ value: JSONValue, at pointer: String = "", isSpecial: Bool = false) {
        self.pointer = pointer
        var object = WireObject(value, at: pointer)
        id = object.integer("id")
        name = object.text("name") ?? ""
        isTwentyFourHours = object.boolean("twenty_four_hours")
        validStart = object.date("valid_start")
        validEnd = object.date("valid_end")
        object.stamp("modified")
        let times = object["open_times"]
        if times.map({ $0.elements == nil }) ?? false {
            object.warn(.missing, "open_times", "open_times is \(times?.kind ?? "null"), not a list")
        }
        let place = object.place("open_times")
        let elements = times?.elements ?? []
        if elements.count > Self.entryLimit {
            object.warn(.unread, "open_times", "\(elements.count) opening times: only \(Self.entryLimit) are read")
        }
        entries = elements.prefix(Self.entryLimit).enumerated().map {
            OpeningEntry($1, at: JSONPointer.child($0, of: place))
        }
        let title = isSpecial ? "special schedule “\(name)”" : "schedule “\(name)”"
        if entries.isEmpty, !isTwentyFourHours {
            object.warn(.empty, "open_times", "\(title) has no opening times: closed as long as it is in force")
        }
        if isSpecial {
            for (name, date) in [("valid_start", validStart), ("valid_end", validEnd)] where date?.date == nil {
                object.warn(.window, name, "\(title) has no \(name): it is never in force")
            }
            if let start = validStart?.date, let end = validEnd?.date, start >= end {
                object.warn(.window, "valid_end", "\(title) ends before it starts: it is never in force")
            }
        }
        warnings = object.warnings + entries.flatMap(\.warnings)
    }

    /// The time in which it replaces the main schedule, both ends included; `nil` where it never does.
    package var window: ClosedRange<Date>? {
        guard let start = validStart?.date, let end = validEnd?.date, start <= end else { return nil }
        return start...end
    }

    /// Whether the schedule is in force as a special one.
    package func isInForce(at now: Date) -> Bool { window?.contains(now) ?? false }
}
