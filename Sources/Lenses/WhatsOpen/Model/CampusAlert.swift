import Foundation
import Traffic

/// A message to everybody on campus, shown for a time.
package struct CampusAlert: Sendable, Equatable {
    /// The urgencies the API knows, the least urgent first.
    package static let urgencies = ["info", "minor", "major", "emergency"]

    package let id: Int?
    /// As on the wire: one of `urgencies`, or what is none of them.
    package let urgency: String
    /// The headline; of 2.1, which has none, its message.
    package let subject: String
    package let body: String
    package let url: String
    package let start: WireDate?
    package let end: WireDate?
    /// Where it stands.
    package let pointer: String
    /// What was read past.
    package let warnings: [DataWarning]

    /// Reads one, of 2.2 (subject, body, url) or 2.1 (message); `nil` for what is no object.
    package init?(_ value: JSONValue, at pointer: String = "") {
        guard value.isObject else { return nil }
        self.pointer = pointer
        var object = WireObject(value, at: pointer)
        id = object.integer("id")
        urgency = object.text("urgency_tag", isNeeded: true) ?? ""
        subject = object.text("subject") ?? object.text("message") ?? ""
        body = object.text("body") ?? ""
        url = object.text("url") ?? ""
        start = object.date("start_datetime")
        end = object.date("end_datetime")
        object.stamp("created")
        object.stamp("modified")
        if !urgency.isEmpty, !CampusAlert.urgencies.contains(urgency) {
            object.warn(.unknown, "urgency_tag", "unknown urgency “\(urgency)”")
        }
        if subject.isEmpty { object.warn(.missing, "subject", "neither subject nor message says anything") }
        for (name, date) in [("start_datetime", start), ("end_datetime", end)] where date?.date == nil {
            object.warn(.window, name, "\(name) is missing or no date: it is never shown")
        }
        warnings = object.warnings
    }

    /// Whether it is shown at a moment: `start < now < end`, as the apps have it.
    package func isActive(at now: Date) -> Bool {
        guard let start = start?.date, let end = end?.date else { return false }
        return start < now && now < end
    }

    /// Whether its time is past.
    package func isExpired(at now: Date) -> Bool { end?.date.map { $0 <= now } ?? false }

    /// How it is drawn, by its urgency.
    package var tone: LensText.Tone {
        switch urgency.lowercased() {
        case "emergency", "major": .bad
        case "minor": .warning
        default: .plain
        }
    }
}
