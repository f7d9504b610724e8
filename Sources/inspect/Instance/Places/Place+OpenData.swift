import Lenses
import Store
import Web

extension PlaceAnswers.Place {
    /// The datasets of the open-data portal, with those that are saved.
    static var datasets: Self {
        Self("datasets", options: DatasetQuestion.options) { options, question, _ in
            try DatasetQuestion(options, question.filter).answer(question.store) { _ in
                try PlaceAnswers.marks { try KeptMarks.read(for: question.store.path).favourites }
            }
        }
    }
}
