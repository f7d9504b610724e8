/// A reader and writer of times of day: hours times 100 plus minutes, and as people write them.
package enum MeetingClockText {
    /// `1930` as `19:30`.
    package static func text(_ clock: Int) -> String {
        let (hours, minutes) = (clock / 100, clock % 100)
        return (hours < 10 ? "0" : "") + "\(hours):" + (minutes < 10 ? "0" : "") + "\(minutes)"
    }

    /// Reads `1930`, `19:30` or `7:05`; `nil` for a time that no clock shows.
    package static func clock(_ text: String) -> Int? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ":") }
        guard (3...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if let colon = text.firstIndex(of: ":"), text.distance(from: colon, to: text.endIndex) != 3 { return nil }
        guard text.utf8.count - digits.count <= 1 else { return nil }
        let clock = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return clock / 100 < 24 && clock % 100 < 60 ? clock : nil
    }
}
