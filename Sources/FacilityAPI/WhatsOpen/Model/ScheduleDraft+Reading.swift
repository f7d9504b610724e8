import Foundation

extension ScheduleDraft {
    /// The refusal of a body: one or more sentences for each member, in the order in which members are checked.
    struct Refusal: Error {
        var reasons: [JSON.Member] = []
        var body: JSON { .object(reasons) }

        mutating func add(_ member: String, _ sentence: String) {
            reasons.append(JSON.Member(name: member, value: [.string(sentence)]))
        }
    }

    /// Checks what a client sent.
    ///
    /// - Parameters:
    ///   - body: an object; forms arrive as an object of strings.
    ///   - isPartial: PATCH, where nothing is required.
    ///   - time: the campus, for dates without an offset.
    ///   - now: what `modified` of written entries becomes.
    /// - Throws: ``Refusal``.
    init(reading body: JSON, isPartial: Bool, time: WallTime, now: Date) throws(Refusal) {
        var refusal = Refusal()
        guard case .object = body else {
            refusal.add("non_field_errors", "Invalid data. Expected a dictionary.")
            throw refusal
        }
        readName(body["name"], isPartial: isPartial, refusal: &refusal)
        validStart = Self.readDate(body["valid_start"], named: "valid_start", time: time, refusal: &refusal)
        validEnd = Self.readDate(body["valid_end"], named: "valid_end", time: time, refusal: &refusal)
        switch body["twenty_four_hours"] {
        case nil: break
        case .bool(let value): isTwentyFourHours = value
        case .string("true"), .string("True"), .string("1"), .string("on"), .int(1): isTwentyFourHours = true
        case .string("false"), .string("False"), .string("0"), .string(""), .int(0): isTwentyFourHours = false
        case .some(let other):
            refusal.add("twenty_four_hours", "\"\(other.text ?? other.compactText)\" is not a valid boolean.")
        }
        readOpenTimes(body["open_times"], now: now, refusal: &refusal)
        guard refusal.reasons.isEmpty else { throw refusal }
    }

    private mutating func readName(_ value: JSON?, isPartial: Bool, refusal: inout Refusal) {
        switch value {
        case nil where isPartial: break
        case nil: refusal.add("name", "This field is required.")
        case .null: refusal.add("name", "This field may not be null.")
        case .string(let text):
            let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if trimmed.isEmpty {
                refusal.add("name", "This field may not be blank.")
            } else if trimmed.count > 100 {
                refusal.add("name", "Ensure this field has no more than 100 characters.")
            } else {
                name = trimmed
            }
        default: refusal.add("name", "Not a valid string.")
        }
    }

    private static func readDate(
        _ value: JSON?,
        named name: String,
        time: WallTime,
        refusal: inout Refusal
    ) -> Date?? {
        switch value {
        case nil: return .none
        case .null, .string(""): return .some(nil)
        case .string(let text):
            if let date = time.date(reading: text) { return .some(date) }
            fallthrough
        default:
            refusal.add(
                name,
                "Datetime has wrong format. Use one of these formats instead: "
                    + "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]."
            )
            return .none
        }
    }

    private mutating func readOpenTimes(_ value: JSON?, now: Date, refusal: inout Refusal) {
        guard let value else { return }
        guard let entries = value.elements, entries.count <= 100 else {
            return refusal.add("open_times", "Expected a list of at most 100 items.")
        }
        var read: [OpenTime] = []
        for entry in entries {
            guard let startDay = entry["start_day"]?.integer, let endDay = entry["end_day"]?.integer,
                (0...6).contains(startDay), (0...6).contains(endDay),
                let start = entry["start_time"]?.text.flatMap({ WallTime.secondOfDay(reading: $0) }),
                let end = entry["end_time"]?.text.flatMap({ WallTime.secondOfDay(reading: $0) })
            else {
                return refusal.add(
                    "open_times",
                    "Each entry needs start_day and end_day from 0 to 6, start_time and end_time as hh:mm[:ss]."
                )
            }
            read.append(OpenTime(modified: now, startDay: startDay, endDay: endDay, start: start, end: end))
        }
        openTimes = read
    }
}
