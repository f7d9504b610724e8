import Foundation

/// A status as people read it.
package struct FacilityWords {
    private let status: FacilityStatus
    private let now: Date
    private let clock: CampusClock

    package init(_ status: FacilityStatus, at now: Date, clock: CampusClock) {
        (self.status, self.now, self.clock) = (status, now, clock)
    }

    /// `open` or `closed`, with its tone.
    package var state: LensText { status.isOpen ? LensText("open", .good) : LensText("closed", .bad) }

    /// When it closes, `–` where it is closed.
    package var closes: String {
        guard status.isOpen else { return "–" }
        return status.closes.map { clock.short($0, beside: now) } ?? "not in 8 days"
    }

    /// When it opens next, `–` where it does not.
    package var opensNext: String { status.opensNext.map { clock.short($0, beside: now) } ?? "–" }

    /// `open until Tue 02:00`, `closed, opens Mon 07:00`.
    package var sentence: String {
        if status.isOpen { return status.closes == nil ? "open around the clock" : "open until \(closes)" }
        return status.opensNext == nil ? "closed, and does not open within 8 days" : "closed, opens \(opensNext)"
    }
}
