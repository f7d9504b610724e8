import ArgumentParser
import Lenses

/// A day as people name it on the command line.
enum DayName {
    /// What may be written.
    static let expectation = "today, tomorrow, yesterday, a weekday such as wed, or 2026-11-20"

    /// The day of a name; a weekday is the next one, today being one too.
    ///
    /// - Throws: `ValidationError` naming what was expected.
    static func day(_ text: String, today: CampusDay) throws -> CampusDay {
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
        if let day = CampusDay(short: text) { return day }
        throw ValidationError("--day \(text): expected \(expectation)")
    }

    /// 0 for Monday to 6 for Sunday, from a name of three letters or more.
    static func weekday(_ text: String) -> Int? {
        guard text.count >= 3 else { return nil }
        return CampusTime.weekdays.firstIndex { $0.lowercased().hasPrefix(text.lowercased()) }
    }
}
