package import Foundation

/// The words for a facility's status.
package struct FacilityWords {
    private let status: FacilityStatus
    private let now: Date
    private let clock: CampusClock

    package init(_ status: FacilityStatus, at now: Date, clock: CampusClock) {
        (self.status, self.now, self.clock) = (status, now, clock)
    }

    /// `open` or `closed`, with its tone.
    package var state: LensText { status.isOpen ? LensText("open", .good) : LensText("closed", .bad) }

    /// The moment of closing; `–` where the facility is closed.
    package var closes: String {
        guard status.isOpen else { return "–" }
        return status.closes.map { clock.short($0, beside: now) } ?? "not in 8 days"
    }

    /// The moment of the next opening; `–` where there is none.
    package var opensNext: String { status.opensNext.map { clock.short($0, beside: now) } ?? "–" }

    /// `open until Tue 02:00`, `closed, opens Mon 07:00`.
    package var sentence: String {
        if status.isOpen { return status.closes == nil ? "open around the clock" : "open until \(closes)" }
        return status.opensNext == nil ? "closed, and does not open within 8 days" : "closed, opens \(opensNext)"
    }
}
