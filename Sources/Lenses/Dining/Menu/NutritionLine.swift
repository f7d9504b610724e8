/// A line of a food's label for some servings: the true values, and those that the app shows.
package struct NutritionLine: Sendable, Equatable {
    /// The counts of servings that the app offers.
    package static let servings = 0...16

    package let nutrient: Nutrient
    package let measure: NutrientMeasure
    package let servings: Int

    package init(_ nutrient: Nutrient, _ measure: String, servings: Int = 1) {
        self.nutrient = nutrient
        self.measure = NutrientMeasure(measure)
        self.servings = min(max(servings, Self.servings.lowerBound), Self.servings.upperBound)
    }

    /// The lines of all nutrients for a food; a nutrient that the food lacks has an empty measure.
    package static func lines(of food: DiningFood, servings: Int = 1) -> [NutritionLine] {
        Nutrient.allCases.map { NutritionLine($0, food.measures[$0] ?? "", servings: servings) }
    }

    /// The measure of all servings; `nil` where there is no number in it.
    package var amount: Double? { measure.amount.map { $0 * Double(servings) } }

    /// `300 cal`, `<2 g`; a measure without a number as it is.
    package var amountText: String {
        guard let amount else { return measure.text.isEmpty ? "–" : "“\(measure.text)”" }
        return "\(measure.isBelow ? "<" : "")\(Self.plain(amount)) \(nutrient.unit)"
    }

    /// The whole percents of the daily value that are reached; `nil` where there is no daily value or no number.
    package var percent: Int? {
        guard let amount, let daily = nutrient.dailyValue else { return nil }
        return Self.whole(100 * amount / daily)
    }

    /// The percent in the app's circle: a serving's, cut to a whole number and then multiplied; `nil` where there is no daily value.
    package var clientPercent: Int? {
        guard let daily = nutrient.dailyValue else { return nil }
        return Self.cut(Double(100 * measure.floatValue / Float(daily))) * servings
    }

    /// How much of the app's circle is drawn, 0 to 100.
    package var ring: Int? { clientPercent.map { min(max($0, 0), 100) } }

    /// The number that the app's label shows: 0 where it cannot read the measure.
    package var clientAmount: Double { (measure.label ?? 0) * Double(servings) }

    /// Whether the app shows a wrong value.
    package var isShownWrong: Bool {
        percent != clientPercent || measure.isBelow || amount.map { abs($0 - clientAmount) > 0.001 } == true
    }

    /// `15 %`, `under 4 %`; `nil` where there is no daily value or no number.
    package var percentText: String? {
        guard let percent else { return nil }
        guard measure.isBelow, let amount, let daily = nutrient.dailyValue else { return "\(percent) %" }
        return "under \(Self.whole((100 * amount / daily).rounded(.up))) %"
    }

    /// Cuts a number to a whole one, after undoing the rounding of its last binary digits.
    private static func whole(_ value: Double) -> Int { cut(value + 1e-6) }

    /// Cuts a number to a whole one, as the app does.
    private static func cut(_ value: Double) -> Int { value.isFinite ? Int(min(max(value, -1e9), 1e9)) : 0 }

    /// A number with no more than two decimals.
    package static func plain(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "\(value)" }
        let hundredths = Int64((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest % 10 == 0 ? rest / 10 : rest)"
    }
}
