import Foundation
package import Traffic

/// The body of an answer of What's Open, by what it holds.
package enum WhatsOpenAnswer: Sendable {
    /// A list of facilities, or a single one (`isList` false).
    case facilities([Facility], isList: Bool)
    case alerts([CampusAlert], isList: Bool)
    case locations([CampusLocation], isList: Bool)
    case categories([FacilityCategory], isList: Bool)
    case schedules([OpeningSchedule], isList: Bool)
    /// An error of Django's REST framework: its `detail`, or the fields with their complaints.
    case refusal(String)
    /// The list of the API's resources.
    case root([String])
    /// A page for people.
    case page
    /// No body.
    case nothing
    /// A body that cannot be read; the text ends a sentence begun with “the body”.
    case unreadable(String)
    /// JSON that What's Open does not serve; the text ends such a sentence.
    case foreign(String)

    /// Reads the response of a capture.
    package init(_ capture: Capture) {
        let body = capture.response
        guard !body.isEmpty else {
            self = .nothing
            return
        }
        let first = body.bytes.first { $0 > 0x20 }
        if first == UInt8(ascii: "<") {
            self = .page
            return
        }
        let value: JSONValue
        do throws(ExactJSON.Problem) {
            value = try body.strictJSON()
        } catch {
            self = .unreadable(error.description)
            return
        }
        let asked = WhatsOpenRequest(capture.exchange).resource
        if let elements = value.elements {
            guard let kind = elements.lazy.compactMap(Self.kind).first ?? (elements.isEmpty ? asked : nil) else {
                self = .foreign("is a list of what What's Open does not serve")
                return
            }
            self = Self.read(kind, elements.enumerated().map { ($1, JSONPointer.child($0)) }, isList: true)
        } else if let kind = Self.kind(value) {
            self = Self.read(kind, [(value, "")], isList: false)
        } else {
            self = Self.object(value, asked)
        }
    }

    /// The facilities; `nil` where the answer is of another kind.
    package var facilities: [Facility]? { if case .facilities(let facilities, _) = self { facilities } else { nil } }

    /// The alerts; `nil` where the answer is of another kind.
    package var alerts: [CampusAlert]? { if case .alerts(let alerts, _) = self { alerts } else { nil } }

    private static func read(
        _ kind: WhatsOpenResource,
        _ elements: [(value: JSONValue, pointer: String)],
        isList: Bool
    ) -> WhatsOpenAnswer {
        switch kind {
        case .facilities: return .facilities(elements.compactMap { Facility($0.value, at: $0.pointer) }, isList: isList)
        case .alerts: return .alerts(elements.compactMap { CampusAlert($0.value, at: $0.pointer) }, isList: isList)
        case .locations: return .locations(elements.map { CampusLocation($0.value, at: $0.pointer) }, isList: isList)
        case .categories:
            return .categories(elements.map { FacilityCategory($0.value, at: $0.pointer) }, isList: isList)
        case .schedules: return .schedules(elements.map { OpeningSchedule($0.value, at: $0.pointer) }, isList: isList)
        }
    }

    /// The kind of an object, judged by its members; `nil` where it is none of the API's.
    private static func kind(_ value: JSONValue) -> WhatsOpenResource? {
        guard value.isObject else { return nil }
        let has = { value[$0] != nil }
        if has("facility_name") || has("main_schedule") || has("facility_location") { return .facilities }
        if has("urgency_tag") || has("start_datetime") { return .alerts }
        if has("open_times") { return .schedules }
        if has("campus_region") || has("building") { return .locations }
        return has("id") && has("name") && !has("detail") ? .categories : nil
    }

    private static func object(_ value: JSONValue, _ asked: WhatsOpenResource?) -> WhatsOpenAnswer {
        guard case .object(let members) = value else { return .foreign("is \(value.kind), not a list") }
        if let detail = value["detail"]?.string { return .refusal(detail) }
        let names = members.map(\.name)
        if names.contains("facilities"), names.contains("alerts") { return .root(names) }
        if value["renders"] != nil, let name = value["name"]?.string {
            return .refusal("describes itself as “\(name)”")
        }
        let complaints = members.compactMap { member -> String? in
            let texts = member.value.elements?.compactMap(\.string) ?? []
            return texts.isEmpty ? nil : "\(member.name): \(texts.joined(separator: " "))"
        }
        if !complaints.isEmpty, complaints.count == members.count {
            return .refusal(complaints.joined(separator: "; "))
        }
        return .foreign("is an object, but no \(asked?.single ?? "facility")")
    }
}
