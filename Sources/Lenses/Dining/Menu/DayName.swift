/// A reader of the names that people have for days.
package enum DayName {
    /// The names that can be read, for a message.
    package static let expectation = "today, tomorrow, yesterday, a weekday such as wed, or 2026-11-20"

    /// The day of a name; a weekday stands for the next such day, today included.
    ///
    /// - Parameters:
    ///   - text: the name, whatever its case.
    ///   - today: today on campus.
    /// - Returns: the day; `nil` for a name of no day.
    static func day(_ text: String, today: CampusDay) -> CampusDay? {
        switch text.lowercased() {
        case "today": return today
        case "tomorrow": return today.adding(days: 1)
        case "yesterday": return today.adding(days: -1)
        default: break
        }
        if let weekday = weekday(text) { return today.adding(days: (weekday - today.weekday + 7) % 7) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0].count == 4, parts.allSatisfy({ $0.allSatisfy { ("0"..."9").contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let number = Int(parts[2]),
            let day = CampusDay(year: year, month: month, day: number)
        {
            return day
        }
        return CampusDay(short: text)
    }

    /// Reads a weekday's name of three letters or more: 0 for Monday to 6 for Sunday; `nil` for any other text.
    static func weekday(_ text: String) -> Int? {
        guard text.count >= 3 else { return nil }
        return CampusTime.weekdays.firstIndex { $0.lowercased().hasPrefix(text.lowercased()) }
    }
}
