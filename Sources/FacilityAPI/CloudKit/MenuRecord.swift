import Foundation

/// A record of the dining database: a day's menus, or the quick-service menu.
struct MenuRecord: Sendable {
    let name: String
    let type: String
    /// Midnight of the day on campus; nil for the quick-service menu, which has no day.
    let day: Date?
    let payload: JSON

    /// The day as CloudKit counts, in milliseconds since 1970.
    var dayMilliseconds: Int? { day.map { Int($0.timeIntervalSince1970 * 1_000) } }

    /// The record as the web services write it, its payload base64 of JSON.
    func json(modified: Date) -> JSON {
        let stamp: JSON = [
            "timestamp": .int(Int(modified.timeIntervalSince1970 * 1_000)),
            "userRecordName": "_5e1d0c8b7a6f4e3d", "deviceID": "2",
        ]
        var fields: [JSON.Member] = []
        if let dayMilliseconds {
            fields.append(.init(name: "Day", value: ["value": .int(dayMilliseconds), "type": "TIMESTAMP"]))
        }
        let data = Data(payload.compactBytes).base64EncodedString()
        fields.append(.init(name: "Data", value: ["value": .string(data), "type": "BYTES"]))
        return [
            "recordName": .string(name), "recordType": .string(type), "recordChangeTag": "k3x9",
            "fields": .object(fields), "created": stamp, "modified": stamp, "deleted": false,
        ]
    }
}
