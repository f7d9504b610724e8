package import Traffic

/// One line of a schedule: open from a time of a weekday to a time of a weekday, every week.
package struct OpeningEntry: Sendable, Equatable {
    /// The names of the weekdays by their number on the wire, Monday 0.
    package static let dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    static let daySeconds = 86_400

    /// The first weekday, 0 (Monday) to 6; `nil` where the wire has no such day.
    package let startDay: Int?
    package let endDay: Int?
    /// The start in seconds since midnight by the wall clock; `nil` where the wire has no time.
    package let start: Int?
    package let end: Int?
    /// The start as it was written.
    package let startText: String
    package let endText: String
    /// The value's place in the body (RFC 6901).
    package let pointer: String
    /// Remarks on what is missing, wrong or odd.
    package let warnings: [DataWarning]

    /// Reads a value, whatever is missing in it.
    package init(_ value: JSONValue, at pointer: String = "") {
        self.pointer = pointer
        var object = WireObject(value, at: pointer)
        startDay = Self.day("start_day", &object)
        endDay = Self.day("end_day", &object)
        startText = object["start_time"]?.string ?? ""
        endText = object["end_time"]?.string ?? ""
        start = Self.time("start_time", startText, &object)
        end = Self.time("end_time", endText, &object)
        object.stamp("modified")
        let seconds = OpeningEntry.seconds(startDay, start, endDay, end)
        if let startDay, let endDay, startDay == endDay, let start, let end {
            let day = OpeningEntry.dayNames[startDay]
            if end < start {
                object.warn(
                    .wrap,
                    "end_time",
                    "\(day) \(startText)–\(endText) ends before it starts: read as until the next day"
                )
            } else if end == start {
                object.warn(.closed, "end_time", "\(day) \(startText)–\(endText) is empty: closed all day")
            }
        }
        if let seconds, seconds > OpeningEntry.daySeconds {
            let hours = (Double(seconds) / 360).rounded() / 10
            object.warn(
                .long,
                "end_day",
                "an entry is open for \(hours) hours: \(Self.words(startDay, startText, endDay, endText))"
            )
        }
        warnings = object.warnings
    }

    /// How many midnights lie between start and end; `nil` where the entry cannot be used.
    var nights: Int? {
        guard let startDay, let endDay, let start, let end else { return nil }
        let nights = (endDay - startDay + 7) % 7
        return nights == 0 && end < start ? 1 : nights
    }

    /// The entry in words: `Mon 07:00–Tue 02:00`.
    package var words: String { Self.words(startDay, startText, endDay, endText) }

    /// A time of day without seconds that are 0.
    package static func clock(_ text: String) -> String {
        text.hasSuffix(":00") && text.utf8.count == 8 ? String(text.prefix(5)) : text
    }

    private static func words(_ startDay: Int?, _ start: String, _ endDay: Int?, _ end: String) -> String {
        let name = { (day: Int?) in day.map { dayNames[$0] } ?? "?" }
        let days = startDay == endDay ? "" : name(endDay) + " "
        return "\(name(startDay)) \(clock(start))–\(days)\(clock(end))"
    }

    private static func seconds(_ startDay: Int?, _ start: Int?, _ endDay: Int?, _ end: Int?) -> Int? {
        guard let startDay, let endDay, let start, let end else { return nil }
        return (endDay - startDay + 7) % 7 * daySeconds + end - start
    }

    private static func day(_ name: String, _ object: inout WireObject) -> Int? {
        guard let number = object[name]?.integer, (0...6).contains(number) else {
            let found = object[name].map { $0.integer.map { "\($0)" } ?? $0.kind } ?? "missing"
            object.warn(.day, name, "\(name) is \(found), not a day from 0 to 6")
            return nil
        }
        return Int(number)
    }

    /// Reads HH:MM:SS; HH:MM, fractions and 24:00:00 are read with a warning.
    private static func time(_ name: String, _ text: String, _ object: inout WireObject) -> Int? {
        let parts = text.prefix { $0 != "." }.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.count == 2 && part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        let isStrict = text.utf8.count == 8 && numbers.count == 3
        guard numbers.count == parts.count, (2...3).contains(numbers.count),
            numbers.dropFirst().allSatisfy({ $0 < 60 }),
            case let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0),
            seconds <= daySeconds
        else {
            object.warn(.time, name, object[name] == nil ? "\(name) is missing" : "\(name) “\(text)” is no time")
            return nil
        }
        if !isStrict || seconds == daySeconds { object.warn(.time, name, "\(name) “\(text)” is not HH:MM:SS") }
        return seconds
    }
}
