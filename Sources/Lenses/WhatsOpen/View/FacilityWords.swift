package import Foundation

/// The words for a facility's status.
package struct FacilityWords {
    private let status: FacilityStatus
    private let now: Date
    private let clock: CampusClock

    package init(_ status: FacilityStatus, at now: Date, clock: CampusClock) {
        (self.status, self.now, self.clock) = (status, now, clock)
    }

    /// `open`, `open 24 hours` where it does not close, or `closed`, with its tone.
    package var state: LensText {
        guard status.isOpen else { return LensText("closed", .bad) }
        return LensText(status.isOpenThroughout ? "open 24 hours" : "open", .good)
    }

    /// The moment of closing; `–` where there is none.
    package var closes: String { status.closes.map { clock.short($0, beside: now) } ?? "–" }

    /// The moment of the next opening; `–` where there is none.
    package var opensNext: String { status.opensNext.map { clock.short($0, beside: now) } ?? "–" }

    /// `open until Tue 02:00`, `open 24 hours`, `closed, opens Mon 07:00`.
    package var sentence: String {
        if status.isOpen { return status.isOpenThroughout ? state.text : "open until \(closes)" }
        return status.opensNext == nil ? "closed, and does not open within 8 days" : "closed, opens \(opensNext)"
    }
}
