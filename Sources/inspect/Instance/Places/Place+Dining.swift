import Lenses
import Web

extension PlaceAnswers.Place {
    /// What the dining halls serve.
    static var menus: Self {
        Self("menus", options: MenuQuestion.options) { options, question, now in
            try MenuQuestion(options, question.filter, now: now).answer(question.store)
        }
    }

    /// One food, and its nutrition.
    static var food: Self {
        Self("food", options: FoodQuestion.options) { options, question, _ in
            try FoodQuestion(options, question.filter).answer(question.store)
        }
    }

    /// The swipes that are left after a meal.
    static var swipes: Self {
        Self("swipes", options: SwipeQuestion.options) { options, _, now in
            try SwipeQuestion(options, now: now).answer()
        }
    }
}
