import Lenses
import Web

extension PlaceAnswers.Place {
    /// What the dining halls serve.
    static var menus: Self {
        Self("menus", options: MenuQuestion.options) { options, filter, walk, now in
            try MenuQuestion(options, filter, now: now).answer(walk)
        }
    }

    /// One food, and its nutrition.
    static var food: Self {
        Self("food", options: FoodQuestion.options) { options, filter, walk, _ in
            try FoodQuestion(options, filter).answer(walk)
        }
    }

    /// The swipes that are left after a meal.
    static var swipes: Self {
        Self("swipes", options: SwipeQuestion.options) { options, _, _, now in
            try SwipeQuestion(options, now: now).answer()
        }
    }
}
