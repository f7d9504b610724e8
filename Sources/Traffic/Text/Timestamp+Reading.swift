extension Timestamp {
    /// Reads `2026-11-20T14:02:03.456789+01:00`, also with a blank for `T`, without a fraction, or without a zone, which then is UTC.
    ///
    /// - Parameter text: RFC 3339, as archives have it.
    /// - Returns: microseconds since 1970; `nil` when it is no moment of `range`.
    package static func microseconds(_ text: String) -> Int64? {
        var rest = Array(text.utf8)[...]
        func digits(_ count: Int) -> Int64? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        func take(_ bytes: String) -> UInt8? {
            guard let first = rest.first, bytes.utf8.contains(first) else { return nil }
            rest = rest.dropFirst()
            return first
        }
        guard let year = digits(4), take("-") != nil, let month = digits(2), take("-") != nil, let day = digits(2),
            take("Tt ") != nil, let hour = digits(2), take(":") != nil, let minute = digits(2), take(":") != nil,
            let second = digits(2), year > 0, (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        var micros: Int64 = 0
        if take(".,") != nil {
            var unit: Int64 = 100_000
            guard let first = rest.first, (0x30...0x39).contains(first) else { return nil }
            while let digit = rest.first, (0x30...0x39).contains(digit) {
                micros += Int64(digit - 0x30) * unit
                unit /= 10
                rest = rest.dropFirst()
            }
        }
        var offset: Int64 = 0
        if take("Zz") == nil, let sign = take("+-") {
            guard let hours = digits(2) else { return nil }
            _ = take(":")
            guard let minutes = rest.isEmpty ? 0 : digits(2), hours < 24, minutes < 60 else { return nil }
            offset = (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
        }
        guard rest.isEmpty else { return nil }
        let moment = microseconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        let microseconds = moment + micros - offset * 1_000_000
        return range.contains(microseconds) ? microseconds : nil
    }
}
