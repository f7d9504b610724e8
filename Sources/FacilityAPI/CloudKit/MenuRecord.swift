import Foundation

/// A record of the dining database as a seed writes it: a day's menus, or the quick-service menu.
struct MenuRecord: Sendable {
    let name: String
    let type: String
    /// Midnight of the day on campus; nil for the quick-service menu, which has no day.
    let day: Date?
    let payload: JSON

    /// The record as the database keeps it, its payload base64 of JSON.
    func record(modified: Date) -> CloudKitRecord {
        var fields: [JSON.Member] = []
        if let day {
            let milliseconds = Int(day.timeIntervalSince1970 * 1_000)
            fields.append(.init(name: "Day", value: ["value": .int(milliseconds), "type": "TIMESTAMP"]))
        }
        let data = Data(payload.compactBytes).base64EncodedString()
        fields.append(.init(name: "Data", value: ["value": .string(data), "type": "BYTES"]))
        return CloudKitRecord(
            name: name,
            type: type,
            changeTag: "k3x9",
            fields: .object(fields),
            created: modified,
            modified: modified
        )
    }
}
