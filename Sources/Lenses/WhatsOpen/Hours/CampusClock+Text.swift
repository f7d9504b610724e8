package import Foundation
import Traffic

extension CampusClock {
    /// The names of standard and summer time in the zones whose people have such names.
    private static let names = [
        "America/New_York": ("EST", "EDT"), "America/Chicago": ("CST", "CDT"), "America/Denver": ("MST", "MDT"),
        "America/Los_Angeles": ("PST", "PDT"),
    ]

    /// RFC 3339 with the zone's offset: `2026-09-15T02:00:00-04:00`.
    package func timestamp(_ date: Date) -> String {
        let local = local(date)
        return
            "\(Self.civil(local.day))T\(Self.time(local.second, hasSeconds: true))\(offsetText(local.offset, isNumeric: true))"
    }

    /// `14:02 EDT`, the seconds left out.
    package func time(_ date: Date) -> String {
        let local = local(date)
        return "\(Self.time(local.second, hasSeconds: false)) \(name(date, local))"
    }

    private func name(_ date: Date, _ local: LocalMoment) -> String {
        Self.names[zone.identifier].map { zone.isDaylightSavingTime(for: date) ? $0.1 : $0.0 }
            ?? offsetText(local.offset, isNumeric: false)
    }

    /// A moment as short as it is clear beside another: `02:00`, `Tue 02:00`, `Mon 2026-10-12 07:00`.
    package func short(_ date: Date, beside now: Date) -> String {
        let (local, here) = (local(date), self.local(now))
        let day = OpeningEntry.dayNames[local.weekday]
        switch local.day - here.day {
        case 0: return clock(local)
        case -1...6: return "\(day) \(clock(local))"
        default: return "\(day) \(Self.civil(local.day)) \(clock(local))"
        }
    }

    /// A moment without its date, where the week is known: `Tue 02:00`.
    package func weekTime(_ date: Date) -> String {
        let local = local(date)
        return "\(OpeningEntry.dayNames[local.weekday]) \(clock(local))"
    }

    /// `Mon 2026-09-14 07:00 EDT`, with seconds where they are not 0.
    package func full(_ date: Date) -> String {
        let local = local(date)
        return "\(OpeningEntry.dayNames[local.weekday]) \(Self.civil(local.day)) \(clock(local)) \(name(date, local))"
    }

    private func clock(_ local: LocalMoment) -> String { Self.time(local.second, hasSeconds: local.second % 60 != 0) }

    private func offsetText(_ offset: Int, isNumeric: Bool) -> String {
        if offset == 0, !isNumeric { return "UTC" }
        let minutes = abs(offset) / 60
        return (isNumeric ? "" : "UTC") + (offset < 0 ? "-" : "+") + Self.padded(minutes / 60) + ":"
            + Self.padded(minutes % 60)
    }

    /// `HH:MM:SS` or `HH:MM` of a second of the day.
    static func time(_ second: Int, hasSeconds: Bool) -> String {
        "\(padded(second / 3600)):\(padded(second / 60 % 60))" + (hasSeconds ? ":\(padded(second % 60))" : "")
    }

    private static func civil(_ day: Int) -> String {
        String(Timestamp.text(microseconds: Int64(day) * 86_400_000_000).prefix(10))
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
