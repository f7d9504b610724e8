import Lenses
import Web

extension PlaceAnswers.Place {
    /// Which facilities are open.
    static var facilities: Self {
        Self("facilities", options: FacilityQuestion.options) { options, question, now in
            try FacilityQuestion(options, question.filter, now: now).answer(question.store)
        }
    }

    /// One of them, and why.
    static var facility: Self {
        Self("facility", options: FacilityCardQuestion.options) { options, question, now in
            try FacilityCardQuestion(options, question.filter, now: now).answer(question.store)
        }
    }

    /// The messages to everybody on campus.
    static var alerts: Self {
        Self("alerts", options: AlertQuestion.options) { options, question, now in
            try AlertQuestion(options, question.filter, now: now).answer(question.store)
        }
    }
}
