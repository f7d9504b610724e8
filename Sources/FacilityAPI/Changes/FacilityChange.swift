import Foundation

/// A change to the stand-in during a run, or from its start: a schedule edit, an alert, a field that goes missing.
///
/// A user writes it as a JSON object; a script sends it to the administration address (``AdministrationAPI``).
package struct FacilityChange: Sendable, Equatable {
    /// The kind of a change.
    enum Kind: Sendable, Equatable {
        /// The entries of a facility's main schedule that start on one weekday get another start or end, or go.
        case hours(facility: String, day: Int, edit: HoursEdit)
        /// A new alert; its dates are nil where they follow from the moment it appears.
        case alert(AlertDraft)
        /// The alert of this id goes.
        case removeAlert(Int)
        /// A member of that name goes from every JSON answer below a path.
        case removeField(String, path: String)
        /// A member of that name has this value in every JSON answer below a path.
        case setField(String, value: JSON, path: String)
        /// Every request below a path is answered with this status; nil ends that.
        case status(Int?, path: String)
    }

    /// How opening times change; a nil time stays.
    struct HoursEdit: Sendable, Equatable {
        var start: Int?
        var end: Int?
        var isClosed = false
    }

    /// The content of a new alert.
    struct AlertDraft: Sendable, Equatable {
        var urgency: String
        var subject: String
        var body: String
        var url: String
        var start: Date?
        var end: Date?
    }

    let kind: Kind
    /// How many more requests are answered before the change holds; 0 for none.
    let after: Int

    /// Reads one change, or several in an array, from the JSON of a user or of the administration address.
    ///
    /// - Throws: ``FacilityAPIError`` naming what is wrong and what can be read.
    package static func reading(_ text: String) throws(FacilityAPIError) -> [FacilityChange] {
        let value: JSON
        do {
            value = try JSON(reading: Array(text.utf8))
        } catch {
            throw FacilityAPIError("the change is not JSON (\(error.reason)): \(expectation)")
        }
        let items = value.elements ?? [value]
        var changes: [FacilityChange] = []
        for item in items { changes.append(try FacilityChange(item)) }
        return changes
    }

    /// The forms of a change, for a message.
    static let expectation =
        #"expected one like {"facility":"late-slice","day":"friday","end":"20:00:00"}, {"alert":{"subject":"…"}}, "#
        + #"{"remove-alert":11}, {"remove-field":"phone_number"}, {"set-field":"note","value":"…"} or "#
        + #"{"status":500,"path":"/whatsopen/v2/alerts/"}, with "after":N to wait for N more requests"#
}
