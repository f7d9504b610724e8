import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct NutritionLineTests {
    @Test(
        "Percents are whole ones that are reached, and the app's are cut before they are multiplied",
        arguments: [
            (.calories, "678", 3, 101, 99), (.calories, "150", 1, 7, 7), (.calories, "150", 2, 15, 14),
            (.totalFat, "3", 1, 4, 4), (.saturatedFat, "0.5", 4, 10, 8), (.sodium, "1500", 16, 1600, 1600),
            (.vitaminA, "15", 2, 30, 30), (.fiber, "4", 0, 0, 0), (.protein, "5", 1, nil, nil),
            (.iron, "", 1, nil, 0), (.cholesterol, "n/a", 1, nil, 0), (.carbohydrates, "0.57", 1, 0, 0),
        ] as [(Nutrient, String, Int, Int?, Int?)]
    )
    func percents(nutrient: Nutrient, measure: String, servings: Int, percent: Int?, client: Int?) {
        let line = NutritionLine(nutrient, measure, servings: servings)
        #expect(line.percent == percent)
        #expect(line.clientPercent == client)
        #expect(line.ring == client.map { min($0, 100) })
    }

    @Test("Of a measure such as <1g the app's label says 0 and its circle what the number at the beginning gives (B6)")
    func measures() {
        let under = NutritionLine(.totalFat, "<1g")
        #expect(under.clientAmount == 0 && under.clientPercent == 0 && under.percentText == "under 2 %")
        #expect(under.amountText == "<1 g" && under.isShownWrong)
        let unit = NutritionLine(.totalFat, "6.5g", servings: 2)
        #expect(unit.clientAmount == 0 && unit.clientPercent == 20 && unit.percent == 20 && unit.amountText == "13 g")
        #expect(unit.isShownWrong && !NutritionLine(.totalFat, "6.5").isShownWrong)
    }

    @Test("Servings are those of the app, 0 to 16", arguments: [(-3, 0), (0, 0), (16, 16), (17, 16), (.max, 16)])
    func servings(asked: Int, taken: Int) { #expect(NutritionLine(.iron, "1", servings: asked).servings == taken) }

    @Test(
        "No text traps",
        arguments: ["", "-", "+.", ".", "1e999", "99999999999999999999999999999", "<", "١٢", "nan", "1.2.3", "\u{0}"]
    )
    func odd(text: String) {
        for nutrient in Nutrient.allCases {
            let line = NutritionLine(nutrient, text, servings: 16)
            #expect(line.ring.map { (0...100).contains($0) } ?? true)
            #expect(!line.amountText.isEmpty)
        }
    }
}
