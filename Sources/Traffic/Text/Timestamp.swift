/// Writes and reads moments as RFC 3339 text, without a formatter: listings write thousands.
package enum Timestamp {
    /// The moments of the years 1 to 9999 in UTC, whose texts have four digits for a year: microseconds since 1970.
    package static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    /// `2026-11-20T14:02:03.456Z`: UTC, milliseconds, rounded down.
    package static func text(microseconds: Int64) -> String {
        let milliseconds = floor(microseconds, 1000)
        let seconds = floor(milliseconds, 1000)
        let (year, month, day) = civil(days: floor(seconds, 86_400))
        let second = seconds - floor(seconds, 86_400) * 86_400
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + ".\(padded(milliseconds - seconds * 1000, 3))Z"
    }

    /// Microseconds since 1970 of a moment in UTC; the parts are taken as they are.
    package static func microseconds(year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64)
        -> Int64
    {
        (days(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000_000
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar; eras of 400 years begin on 1 March.
    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floor(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }

    private static func padded(_ value: Int64, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
