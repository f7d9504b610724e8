import Foundation

extension FacilityChange {
    private static let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// Reads one object.
    ///
    /// - Throws: ``FacilityAPIError`` naming what is wrong and what can be read.
    init(_ item: JSON) throws(FacilityAPIError) {
        guard case .object(let members) = item else {
            throw FacilityAPIError("a change is an object: \(Self.expectation)")
        }
        let known = [
            "facility", "day", "start", "end", "closed", "alert", "remove-alert", "remove-field", "set-field", "value",
            "status", "path", "after",
        ]
        if let stray = members.first(where: { !known.contains($0.name) }) {
            throw FacilityAPIError("a change has no '\(stray.name)': \(Self.expectation)")
        }
        after = try Self.count(item["after"])
        kind = try Self.kind(item)
    }

    private static func kind(_ item: JSON) throws(FacilityAPIError) -> Kind {
        let path = item["path"]?.text ?? "/"
        if let facility = item["facility"]?.text { return try hours(facility, item) }
        if let alert = item["alert"] { return .alert(try draft(alert)) }
        if let id = item["remove-alert"]?.integer { return .removeAlert(id) }
        if let name = item["remove-field"]?.text, !name.isEmpty { return .removeField(name, path: path) }
        if let name = item["set-field"]?.text, !name.isEmpty, let value = item["value"] {
            return .setField(name, value: value, path: path)
        }
        if let status = item["status"] {
            if status == .null { return .status(nil, path: path) }
            guard let code = status.integer, (400...599).contains(code) else {
                throw FacilityAPIError("status \(status.compactText): expected 400 to 599, or null to end it")
            }
            return .status(code, path: path)
        }
        throw FacilityAPIError("a change says nothing to do: \(expectation)")
    }

    private static func hours(_ facility: String, _ item: JSON) throws(FacilityAPIError) -> Kind {
        guard let name = item["day"]?.text?.lowercased(),
            let day = days.firstIndex(where: { $0 == name || (name.count >= 3 && $0.hasPrefix(name)) })
        else { throw FacilityAPIError("the change of \(facility) names no day: expected \"day\":\"friday\"") }
        var edit = HoursEdit()
        edit.start = try second(item["start"], "start")
        edit.end = try second(item["end"], "end")
        edit.isClosed = item["closed"] == .bool(true)
        guard edit.isClosed || edit.start != nil || edit.end != nil else {
            throw FacilityAPIError(
                "the change of \(facility) changes nothing: expected \"start\", \"end\" or \"closed\":true"
            )
        }
        return .hours(facility: facility, day: day, edit: edit)
    }

    private static func second(_ value: JSON?, _ name: String) throws(FacilityAPIError) -> Int? {
        guard let value else { return nil }
        guard let text = value.text, let second = WallTime.secondOfDay(reading: text) else {
            throw FacilityAPIError("\(name) \(value.compactText): expected a time like \"20:00\" or \"20:00:00\"")
        }
        return second
    }

    private static func count(_ value: JSON?) throws(FacilityAPIError) -> Int {
        guard let value else { return 0 }
        guard let count = value.integer, (0...1_000_000).contains(count) else {
            throw FacilityAPIError("after \(value.compactText): expected a number of requests")
        }
        return count
    }

    private static func draft(_ value: JSON) throws(FacilityAPIError) -> AlertDraft {
        guard case .object = value, let subject = value["subject"]?.text, !subject.isEmpty, subject.count <= 130 else {
            throw FacilityAPIError("an alert needs a \"subject\" of at most 130 characters")
        }
        let urgency = value["urgency_tag"]?.text ?? "info"
        return AlertDraft(
            urgency: urgency,
            subject: subject,
            body: value["body"]?.text ?? "",
            url: value["url"]?.text ?? "",
            start: try date(value["start_datetime"], "start_datetime"),
            end: try date(value["end_datetime"], "end_datetime")
        )
    }

    private static func date(_ value: JSON?, _ name: String) throws(FacilityAPIError) -> Date? {
        guard let value, value != .null else { return nil }
        let place = try WallTime(zone: "America/New_York")
        guard let date = value.text.flatMap({ place.date(reading: $0) }) else {
            throw FacilityAPIError("\(name) \(value.compactText): expected a date like 2026-11-21T00:00:00-05:00")
        }
        return date
    }
}
