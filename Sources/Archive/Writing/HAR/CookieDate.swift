import Traffic

/// Reads the dates of Set-Cookie fields by the rules that browsers follow (RFC 6265 §5.1.1): any order, any separators.
enum CookieDate {
    /// Microseconds since 1970; `nil` when a part is missing or out of range.
    static func microseconds(_ text: String) -> Int64? {
        var time: (hour: Int64, minute: Int64, second: Int64)?
        var day: Int64?
        var month: Int64?
        var year: Int64?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, let number = leadingNumber(token, digits: 1...2) {
                day = number
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let number = leadingNumber(token, digits: 2...4) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let time, let day, let month, let year, (1...31).contains(day), year >= 1601,
            time.hour <= 23, time.minute <= 59, time.second <= 59
        else { return nil }
        return Timestamp.microseconds(
            year: year,
            month: month,
            day: day,
            hour: time.hour,
            minute: time.minute,
            second: time.second
        )
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func clock(_ token: Substring.UTF8View) -> (Int64, Int64, Int64)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = leadingNumber(parts[0], digits: 1...2, isWhole: true),
            let minute = leadingNumber(parts[1], digits: 1...2, isWhole: true),
            let second = leadingNumber(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    /// The number a token begins with, if it has that many digits and something else, or nothing, follows.
    private static func leadingNumber(_ token: Substring.UTF8View, digits: ClosedRange<Int>, isWhole: Bool = false)
        -> Int64?
    {
        let number = token.prefix { (0x30...0x39).contains($0) }
        guard digits.contains(number.count), !isWhole || number.count == token.count else { return nil }
        return Int64(String(decoding: number, as: UTF8.self))
    }

    private static func monthNumber(_ token: Substring.UTF8View) -> Int64? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let name = String(decoding: token.prefix(3).map(ASCII.lower), as: UTF8.self)
        return names.firstIndex(of: name).map { Int64($0) + 1 }
    }
}
