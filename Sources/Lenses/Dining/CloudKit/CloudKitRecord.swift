import Foundation
import Traffic

/// A record of CloudKit web services, or an error in the place of a record.
struct CloudKitRecord: Sendable {
    /// A field's value with its named type.
    struct Field: Sendable {
        let name: String
        let value: JSONValue
        /// The type: `TIMESTAMP`, `BYTES` …; `nil` where none is named.
        let type: String?
        /// The value's place in the body (RFC 6901).
        let pointer: String
    }

    /// The record's place in the body (RFC 6901).
    let pointer: String
    let name: String?
    let type: String?
    let fields: [Field]
    let modified: Date?
    let isDeleted: Bool
    /// The error in the record's place; `nil` for a record.
    let problem: CloudKitProblem?

    init(_ value: JSONValue, at pointer: String) {
        self.pointer = pointer
        name = value["recordName"]?.string
        type = value["recordType"]?.string
        let place = JSONPointer.child("fields", of: pointer)
        fields = (value["fields"]?.namedMembers ?? []).map { member in
            let field = JSONPointer.child(member.name, of: place)
            guard let inner = member.value["value"] else {
                return Field(name: member.name, value: member.value, type: nil, pointer: field)
            }
            let type = member.value["type"]?.string
            return Field(name: member.name, value: inner, type: type, pointer: JSONPointer.child("value", of: field))
        }
        modified = value["modified"]?["timestamp"]?.integer.flatMap(CampusTime.date)
        isDeleted = value["deleted"]?.boolean == true
        problem = CloudKitProblem(value)
    }

    /// A field by its name.
    func field(_ name: String) -> Field? { fields.last { $0.name == name } }

    /// The day in the `Day` field; `nil` where it has none.
    var day: CampusDay? { field("Day")?.value.integer.flatMap(CampusTime.date).map(CampusDay.init) }

    /// Whether the record is a menu, by Bruin Life's two record types.
    var isMenu: Bool { type == Self.dayType || type == Self.quickType }

    /// The record type of a day's menus.
    static let dayType = "DiningDay"
    /// The record type of the menu of quick service.
    static let quickType = "QuickMenu"
}

extension CloudKitRecord.Field {
    /// The value in words: a time, a size, a text cut short.
    var text: String {
        switch (type, value) {
        case ("TIMESTAMP", .number):
            return value.integer.flatMap(CampusTime.date).map(CampusTime.text) ?? "a time that no calendar has"
        case ("BYTES", .string(let text)):
            return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { "\($0.count) bytes" }
                ?? "\(text.utf8.count) characters that are not base64"
        case (_, .string(let text)): return text.count > 80 ? "\(text.prefix(80))…" : text
        case (_, .number(let number)): return NutritionLine.plain(number)
        case (_, .boolean(let value)): return value ? "true" : "false"
        case (_, .null): return "null"
        case (_, .array(let elements)): return elements.count.counted("value")
        case (_, .object):
            if let name = value["recordName"]?.string { return "the record \(name)" }
            if let size = value["size"]?.integer { return "a file of \(size) bytes" }
            return "an object"
        }
    }
}
