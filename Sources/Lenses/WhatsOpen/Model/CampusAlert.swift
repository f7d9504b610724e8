package import Foundation
package import Traffic

/// A message to everybody on campus, shown for a time.
package struct CampusAlert: Sendable, Equatable {
    /// The urgencies the API knows, the least urgent first.
    package static let urgencies = ["info", "minor", "major", "emergency"]

    package let id: Int?
    /// The urgency as on the wire: one of `urgencies`, or another word.
    package let urgency: String
    /// The headline; an alert of 2.1, which has none, has its message here.
    package let subject: String
    package let body: String
    package let url: String
    package let start: WireDate?
    package let end: WireDate?
    /// The value's place in the body (RFC 6901).
    package let pointer: String
    /// Remarks on what is missing, wrong or odd.
    package let warnings: [DataWarning]

    /// Reads an alert of 2.2 (subject, body, url) or 2.1 (message); `nil` for a value that is no object.
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

    /// Whether the alert is shown at a moment: `start < now < end`, as in the apps.
    package func isActive(at now: Date) -> Bool {
        guard let start = start?.date, let end = end?.date else { return false }
        return start < now && now < end
    }

    /// Whether the alert's time is past.
    package func isExpired(at now: Date) -> Bool { end?.date.map { $0 <= now } ?? false }

    /// The tone of the alert's urgency.
    package var tone: LensText.Tone {
        switch urgency.lowercased() {
        case "emergency", "major": .bad
        case "minor": .warning
        default: .plain
        }
    }
}
