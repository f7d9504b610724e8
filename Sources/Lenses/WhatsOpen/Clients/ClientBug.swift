/// A published mistake of a What's Open client or of its server, by the name it has in our notes.
package enum ClientBug: String, Sendable, CaseIterable {
    case t1 = "T1"
    case t2 = "T2"
    case t3 = "T3"
    case t4 = "T4"
    case t5 = "T5"
    case t6 = "T6"
    case t7 = "T7"
    case t8 = "T8"
    case t9 = "T9"
    case t10 = "T10"
    case t11 = "T11"
    case t12 = "T12"
    case sv1 = "Sv1"
    case sv2 = "Sv2"
    case sv3 = "Sv3"
    /// The Android app reads the date of a special's window and leaves out the time.
    case a1 = "A1"
    /// The Android app needs both dates of every special.
    case a2 = "A2"

    /// The bug in one clause.
    package var sentence: String {
        switch self {
        case .t1: "the iPhone app shows a place that is open past midnight as closed from midnight on"
        case .t2: "the iPhone app takes the first entry that touches today, so yesterday's hides today's own"
        case .t3: "an entry that runs from Sunday into Monday is never chosen"
        case .t4: "the iPhone app reads one entry a day, so a second sitting is shown closed"
        case .t5: "clients disagree at the moments of opening and closing: some count them in, some do not"
        case .t6: "an entry over several days is compared by the time of day only"
        case .t7: "the iPhone app reads hours in the phone's own zone, and crashes on a time that its formatter refuses"
        case .t8: "the iPhone app goes by the main schedule's 24 hours even while a special schedule is in force"
        case .t9: "the iPhone app says “closed until” today's opening, even when that is past"
        case .t10: "the iPhone app crashes on a special schedule whose dates are missing or have fractions of a second"
        case .t11: "the apps and the web page fail on a facility without a main schedule"
        case .t12: "at 00:00:00 exactly the iPhone app does not count as after midnight"
        case .sv1:
            "an entry that ends before it starts on the same day is never open by the server, and open by the iPhone app"
        case .sv2: "special schedules that are past are still served, though the API's documents promise otherwise"
        case .sv3:
            "the server takes the hours of its own clock's zone, and the dates of special schedules in the campus's"
        case .a1: "the Android app reads a special schedule's dates without their times"
        case .a2: "the Android app crashes on a special schedule without dates"
        }
    }

    /// Whether the client ends instead of answering.
    package var isCrash: Bool { [.t7, .t10, .t11, .a2].contains(self) }
}
