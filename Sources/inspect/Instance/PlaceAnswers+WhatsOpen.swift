import Lenses
import Web

extension PlaceAnswers.Place {
    /// Which facilities are open.
    static var facilities: Self {
        Self("facilities", options: FacilityQuestion.options) { options, filter, walk, now in
            try FacilityQuestion(options, filter, now: now).answer(walk)
        }
    }

    /// One of them, and why.
    static var facility: Self {
        Self("facility", options: FacilityCardQuestion.options) { options, filter, walk, now in
            try FacilityCardQuestion(options, filter, now: now).answer(walk)
        }
    }

    /// The messages to everybody on campus.
    static var alerts: Self {
        Self("alerts", options: AlertQuestion.options) { options, filter, walk, now in
            try AlertQuestion(options, filter, now: now).answer(walk)
        }
    }
}
