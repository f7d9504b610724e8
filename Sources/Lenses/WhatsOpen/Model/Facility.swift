package import Foundation
package import Traffic

/// A place that opens and closes, as What's Open 2.1 or 2.2 serves it.
package struct Facility: Sendable, Equatable {
    /// The known classifiers; `sodoxo` is one of 2.1.
    private static let classifiers = ["", "shopmason", "sodoxo"]
    /// The most special schedules that are read of one place; real places have a handful.
    private static let specialLimit = 50

    package let slug: String
    package let name: String
    package let location: CampusLocation?
    package let category: FacilityCategory?
    package let phone: String
    package let tags: [String]
    /// The labels, which 2.1 has beside the tags.
    package let labels: [String]
    package let classifier: String
    package let tapingoURL: String
    package let note: String
    package let main: OpeningSchedule?
    package let specials: [OpeningSchedule]
    /// The value's place in the body (RFC 6901).
    package let pointer: String
    /// Remarks on what is missing, wrong or odd, in the objects within it too.
    package let warnings: [DataWarning]

    /// Reads a facility, whatever is missing in it; `nil` for a value that is no object.
    package init?(_ value: JSONValue, at pointer: String = "") {
        guard value.isObject else { return nil }
        self.pointer = pointer
        var object = WireObject(value, at: pointer)
        slug = object.text("slug", isNeeded: true) ?? ""
        name = object.text("facility_name", isNeeded: true) ?? ""
        phone = object.text("phone_number") ?? ""
        tags = object.texts("facility_product_tags")
        labels = object.texts("facility_labels")
        note = object.text("note") ?? ""
        tapingoURL = object.text("tapingo_url") ?? ""
        classifier = Self.classifier(&object)
        object.stamp("modified")
        var parts: [DataWarning] = []
        func part<Part>(_ name: String, _ read: (JSONValue, String) -> Part, _ found: (Part) -> [DataWarning]) -> Part?
        {
            guard let member = object[name], member.isObject else {
                object.warn(.missing, name, "\(name) is \(object[name]?.kind ?? "missing")")
                return nil
            }
            let part = read(member, object.place(name))
            parts += found(part)
            return part
        }
        location = part("facility_location", { CampusLocation($0, at: $1) }, \.warnings)
        category = part("facility_category", { FacilityCategory($0, at: $1) }, \.warnings)
        main = part("main_schedule", { OpeningSchedule($0, at: $1) }, \.warnings)
        let place = object.place("special_schedules")
        let elements = object["special_schedules"]?.elements ?? []
        if elements.count > Self.specialLimit {
            let sentence = "\(elements.count) special schedules: only \(Self.specialLimit) are read"
            object.warn(.unread, "special_schedules", sentence)
        }
        specials = elements.prefix(Self.specialLimit).enumerated().map {
            OpeningSchedule($1, at: JSONPointer.child($0, of: place), isSpecial: true)
        }
        warnings = object.warnings + parts + specials.flatMap(\.warnings)
    }

    /// The name; the slug where there is none.
    package var title: String { name.isEmpty ? (slug.isEmpty ? "(no name)" : slug) : name }

    /// The schedule in force at a moment: the first special that is, in the order of the answer, else the main one.
    package func schedule(at now: Date) -> OpeningSchedule? { specials.first { $0.isInForce(at: now) } ?? main }

    private static func classifier(_ object: inout WireObject) -> String {
        guard let member = object["facility_classifier"] else { return "" }
        if let letters = member.elements {
            if !letters.isEmpty {
                object.warn(
                    .characters,
                    "facility_classifier",
                    "facility_classifier is a list of \(letters.count) characters"
                )
            }
            return letters.compactMap(\.string).joined()
        }
        let text = object.text("facility_classifier") ?? ""
        if !classifiers.contains(text) {
            object.warn(.unknown, "facility_classifier", "unknown facility_classifier “\(text)”")
        }
        return text
    }
}
