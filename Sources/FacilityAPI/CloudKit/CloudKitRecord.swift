import Foundation

/// A record of the database as the web services write it.
struct CloudKitRecord: Sendable, Equatable {
    let name: String
    let type: String
    /// Grows with every change; a client shows the one it read.
    var changeTag: String
    /// The fields, each with its value and type.
    var fields: JSON
    let created: Date
    var modified: Date
    /// The number of the record's last change, in the order of all changes.
    var serial = 0
    var isDeleted = false

    /// The day, in milliseconds since 1970; nil for a record without one.
    var dayMilliseconds: Int? { fields["Day"]?["value"]?.integer }

    /// The record as an object; a deleted one has neither type nor fields.
    var json: JSON {
        if isDeleted { return ["recordName": .string(name), "deleted": true] }
        return [
            "recordName": .string(name), "recordType": .string(type), "recordChangeTag": .string(changeTag),
            "fields": fields, "created": Self.stamp(created), "modified": Self.stamp(modified), "deleted": false,
        ]
    }

    private static func stamp(_ date: Date) -> JSON {
        [
            "timestamp": .int(Int(date.timeIntervalSince1970 * 1_000)), "userRecordName": "_5e1d0c8b7a6f4e3d",
            "deviceID": "2",
        ]
    }
}
