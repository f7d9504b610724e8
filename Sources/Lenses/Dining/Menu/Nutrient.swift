/// A nutrient on a food's label, by the name that payloads have for it.
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

    /// The unit of the nutrient's measure; vitamins and minerals are measured in percent of the daily value.
    package var unit: String {
        switch self {
        case .calories, .caloriesFromFat: "cal"
        case .totalFat, .saturatedFat, .transFat, .carbohydrates, .fiber, .sugars, .protein: "g"
        case .cholesterol, .sodium: "mg"
        case .vitaminA, .vitaminC, .calcium, .iron: "%"
        }
    }

    /// The daily value that the app assumes, in `unit`; `nil` where it has none, and shows a grey circle.
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
