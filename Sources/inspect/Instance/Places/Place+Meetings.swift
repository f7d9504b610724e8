import Foundation
import Lenses
import Store
import Web

extension PlaceAnswers.Place {
    /// The meetings of the newest list, with the marks of attendance.
    static var meetings: Self {
        Self("meetings", options: MeetingQuestion.options) { names, store in
            let attended = try Meeting.ids(named: names.add, of: "attend")
            let others = try Meeting.ids(named: names.remove, of: "remove")
            return try PlaceAnswers.marks { try KeptMarks.attending(attended, not: others, for: store.path).count }
        } board: { options, question, now in
            let zone = TimeZone.current.identifier
            return try MeetingQuestion(options, question.filter, now: now, usual: zone).answer(question.store) {
                try PlaceAnswers.marks { try KeptMarks.read(for: question.store.path).attendance }
            }
        }
    }
}
