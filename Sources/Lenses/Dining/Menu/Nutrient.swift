/// What a food's label lists, under the names that payloads have for it.
package enum Nutrient: String, Sendable, CaseIterable {
    case calories = "Calories"
    case caloriesFromFat = "From Fat"
    case totalFat = "Total Fat"
    case saturatedFat = "Saturated Fat"
    case transFat = "Trans Fat"
    case cholesterol = "Cholesterol"
    case sodium = "Sodium"
    case carbohydrates = "Total Carbohydrates"
    case fiber = "Dietary Fiber"
    case sugars = "Sugars"
    case protein = "Protein"
    case vitaminA = "Vitamin A"
    case vitaminC = "Vitamin C"
    case calcium = "Calcium"
    case iron = "Iron"

    /// The unit of its measure; vitamins and minerals come as percents of the daily value already.
    package var unit: String {
        switch self {
        case .calories, .caloriesFromFat: "cal"
        case .totalFat, .saturatedFat, .transFat, .carbohydrates, .fiber, .sugars, .protein: "g"
        case .cholesterol, .sodium: "mg"
        case .vitaminA, .vitaminC, .calcium, .iron: "%"
        }
    }

    /// What the app takes for a day's worth, in `unit`; `nil` where there is none, and the app's circle is grey.
    package var dailyValue: Double? {
        switch self {
        case .calories: 2000
        case .totalFat: 65
        case .saturatedFat: 20
        case .cholesterol: 300
        case .sodium: 1500
        case .carbohydrates: 130
        case .fiber: 40
        case .vitaminA, .vitaminC, .calcium, .iron: 100
        case .caloriesFromFat, .transFat, .sugars, .protein: nil
        }
    }
}
