import Foundation

/// A maker of invented dining menus: four halls, four meals, two sections each, foods in turn by the day.
struct MenuSeed: Sendable {
    let time: WallTime

    /// The days from yesterday to a week ahead, and the quick-service menu.
    ///
    /// With oddities, the last days are what a newer program might write, and one day is there twice.
    func records(now: Date, withOddities: Bool = false) -> [MenuRecord] {
        let days = (-1...7).compactMap { offset -> MenuRecord? in
            guard let day = time.date(daysFrom: now, offset) else { return nil }
            let name = time.shortDay(day)
            return MenuRecord(
                name: name,
                type: "DiningDay",
                day: day,
                payload: payload(date: name, weekday: time.parts(of: day).weekday, turn: time.parts(of: day).day)
            )
        }
        let quick = payload(date: time.shortDay(now), meals: ["Lunch", "Late Night"], halls: Self.quickHalls, turn: 0)
        let quickRecord = MenuRecord(name: "quick", type: "QuickMenu", day: nil, payload: quick)
        guard withOddities else { return days + [quickRecord] }
        return days.enumerated().map { $1.spoiled(at: $0) } + [twice(days.last)].compactMap { $0 } + [quickRecord]
    }

    /// A day that is there a second time, written by a machine with another locale.
    private func twice(_ record: MenuRecord?) -> MenuRecord? {
        guard let record, let day = record.day else { return nil }
        let parts = time.parts(of: day)
        let date = "\(WallTime.padded(parts.day, 2)).\(WallTime.padded(parts.month, 2)).\(parts.year % 100)"
        return MenuRecord(
            name: "8E5B6C1A-0F2D-4B7E-9A3C-51D7E2F04B66",
            type: record.type,
            day: day,
            payload: record.payload.with("date", .string(date))
        )
    }

    private static let halls = ["De Neve", "Covel", "Feast", "Bruin Plate"]
    private static let quickHalls = ["Cafe 1919", "Rendezvous", "Bruin Cafe"]
    private static let sections = ["The Kitchen", "The Grill", "Harvest", "Sweet Bites"]

    private struct Food {
        let name: String
        /// Empty, Vegetarian or Vegan.
        let type: String
        let ingredients: String
        /// Calories, from fat, total fat, saturated, trans, cholesterol, sodium, carbohydrates, fibre, sugars, protein, A, C, calcium, iron.
        let amounts: [String]
    }

    private static let nutrients = [
        "Calories", "From Fat", "Total Fat", "Saturated Fat", "Trans Fat", "Cholesterol", "Sodium",
        "Total Carbohydrates", "Dietary Fiber", "Sugars", "Protein", "Vitamin A", "Vitamin C", "Calcium", "Iron",
    ]

    private static func food(_ name: String, _ type: String, _ ingredients: String, _ amounts: String) -> Food {
        Food(name: name, type: type, ingredients: ingredients, amounts: amounts.split(separator: " ").map(String.init))
    }

    private static var foods: [Food] {
        [
            food("Steel-Cut Oats", "Vegan", "Oats, water, salt", "160 25 3 0.5 0 0 10 28 4 1 6 0 0 2 10"),
            food("Scrambled Eggs", "Vegetarian", "Eggs, milk, butter", "190 120 13 5 0 370 220 2 0 2 12 12 0 7 8"),
            food(
                "Blueberry Pancakes",
                "Vegetarian",
                "Flour, blueberries, eggs",
                "310 80 9 2 0 45 520 50 2 14 7 4 3 12 12"
            ),
            food(
                "Chicken Tinga Tacos",
                "",
                "Chicken, chipotle, corn tortilla",
                "420 150 17 4 0 85 780 40 5 4 27 15 20 10 15"
            ),
            food(
                "Tofu Bánh Mì",
                "Vegan",
                "Tofu, baguette, pickled daikon",
                "380 110 12 2 0 0 690 52 4 8 17 40 25 20 20"
            ),
            food(
                "Margherita Pizza",
                "Vegetarian",
                "Dough, tomato, mozzarella",
                "290 90 10 5 0 25 640 36 2 4 13 10 8 22 11"
            ),
            food("Roasted Salmon", "", "Salmon, lemon, dill", "340 180 20 4 0 95 310 1 0 0 36 4 8 3 6"),
            food("Lentil Stew", "Vegan", "Lentils, carrots, cumin", "230 35 4 0.5 0 0 480 37 14 6 14 110 10 5 25"),
            food("Mac & Cheese", "Vegetarian", "Pasta, cheddar, milk", "450 190 21 12 0.5 55 890 46 2 6 19 15 0 40 9"),
            food("Turkey Chili", "", "Turkey, beans, peppers", "300 80 9 2.5 0 60 720 28 9 6 26 25 45 8 22"),
            food("Kale Caesar", "Vegetarian", "Kale, parmesan, croutons", "180 110 12 3 0 10 380 13 3 2 7 150 90 18 8"),
            food("Mango Sticky Rice", "Vegan", "Rice, mango, coconut milk", "330 100 11 9 0 0 95 56 2 22 4 20 40 2 6"),
        ]
    }

    private func payload(date: String, weekday: Int, turn: Int) -> JSON {
        let meals = weekday >= 5 ? ["Brunch", "Dinner"] : ["Breakfast", "Lunch", "Dinner"]
        return payload(date: date, meals: meals, halls: Self.halls, turn: turn)
    }

    /// One day's object: meals with halls, sections and foods, then every food with its facts and places.
    private func payload(date: String, meals: [String], halls: [String], turn: Int) -> JSON {
        let foods = Self.foods
        var places: [Int: [(meal: String, hall: String)]] = [:]
        let mealMembers = meals.enumerated().map { mealNumber, meal -> JSON.Member in
            let hallMembers = halls.enumerated().map { hallNumber, hall -> JSON.Member in
                let sections = (0..<2).map { sectionNumber -> JSON in
                    let first = turn * 5 + mealNumber * 4 + hallNumber * 3 + sectionNumber * 2
                    let served = (first..<(first + 2)).map { $0 % foods.count }
                    for number in served { places[number, default: []].append((meal, hall)) }
                    let section = Self.sections[(hallNumber + sectionNumber) % Self.sections.count]
                    return ["name": .string(section), "foods": .array(served.map { listing($0, foods[$0]) })]
                }
                let hours = Self.hours(of: meal)
                return .init(
                    name: hall,
                    value: [
                        "hall": .string(hall), "openHour": .int(hours.opens), "openMin": 0,
                        "closeHour": .int(hours.closes), "closeMin": .int(hallNumber % 2 * 30),
                        "sections": .array(sections),
                    ]
                )
            }
            return .init(name: meal, value: ["halls": .object(hallMembers)])
        }
        let foodMembers = places.keys.sorted().map { number in
            JSON.Member(
                name: Self.recipe(number),
                value: ["info": facts(number, foods[number]), "places": Self.places(places[number] ?? [])]
            )
        }
        return ["date": .string(date), "meals": .object(mealMembers), "foods": .object(foodMembers)]
    }

    /// Opening and closing hour; past midnight the hour goes on beyond 24.
    private static func hours(of meal: String) -> (opens: Int, closes: Int) {
        switch meal {
        case "Breakfast": (7, 10)
        case "Brunch": (9, 14)
        case "Lunch": (11, 14)
        case "Late Night": (21, 26)
        default: (17, 20)
        }
    }

    private static func recipe(_ number: Int) -> String { WallTime.padded(59_101 + number * 13, 6) }

    private func listing(_ number: Int, _ food: Food) -> JSON {
        ["name": .string(food.name), "type": .string(food.type), "recipe": .string(Self.recipe(number))]
    }

    private func facts(_ number: Int, _ food: Food) -> JSON {
        var members: [JSON.Member] = [
            .init(name: "name", value: .string(food.name)), .init(name: "recipe", value: .string(Self.recipe(number))),
            .init(name: "type", value: .string(food.type)),
        ]
        members += zip(Self.nutrients, food.amounts).map { .init(name: $0, value: .string($1)) }
        members += [
            .init(name: "ingredients", value: .string(food.ingredients)), .init(name: "description", value: ""),
            .init(name: "country", value: ""),
        ]
        return .object(members)
    }

    private static func places(_ served: [(meal: String, hall: String)]) -> JSON {
        var meals: [(name: String, halls: [String])] = []
        for (meal, hall) in served {
            if let position = meals.firstIndex(where: { $0.name == meal }) {
                if !meals[position].halls.contains(hall) { meals[position].halls.append(hall) }
            } else {
                meals.append((meal, [hall]))
            }
        }
        return .object(
            meals.map { .init(name: $0.name, value: .object($0.halls.map { .init(name: $0, value: true) })) }
        )
    }
}
