import Support
import Testing

@Suite("What the commands of the dining menus print, byte for byte", .timeLimit(.minutes(15)))
struct DiningGoldenTests {
    @Test("The JSON of a question stays as it is", arguments: DiningGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await DiningGolden.store()
        let place = golden.place == "swipes" ? [] : ["--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), golden.arguments + ["--json"] + place)
        #expect(result.output == golden.json + "\n", "\(result.errors)")
    }

    @Test("The lines of menus, of a food and of swipes stay as they are")
    func lines() async throws {
        let store = try await DiningGolden.store()
        let menus = try await store.inspect(
            "menus",
            "--at",
            "2015-05-29T18:30",
            "--favourite",
            "059101,1",
            "--favourite",
            "059140"
        )
        #expect(
            menus.output == """
                Fri 2015-05-29, today  from #2, quick service from #2
                  Breakfast
                    De Neve  07:00–10:30  closed
                      The Kitchen
                        ★ Oatmeal\\e[31m  Vegan  059101
                  Dinner
                    Feast  09:00–09:00  never open: it closes before it opens
                      Wok
                        ★ Taco  059140
                    Covel  17:00–02:30 next day  open now
                      Grill
                        ★ Taco  059140
                        ★ Oatmeal\\e[31m  Vegan  059101
                    Rendezvous (quick)  no hours that can be read
                      Counter
                        ★ Taco  059140

                ★ Oatmeal\\e[31m (059101): Fri 2015-05-29 Breakfast: De Neve, Fri 2015-05-29 Dinner: Covel
                ★ Taco (059140): Fri 2015-05-29 Dinner: Feast, Fri 2015-05-29 Dinner: Covel, Fri 2015-05-29 Dinner: Rendezvous
                ★ 1: not served in what is listed
                Left out: #2: the payload of bad is an unsafe record: it is a list, not an object

                """,
            "\(menus.errors)"
        )
        let food = try await store.inspect("menus", "food", "059140")
        #expect(
            food.output == """
                Taco  Regular  recipe 059140
                Ingredients  Corn
                Country  Mexico

                1 serving
                NUTRIENT             MEASURE      DAILY VALUE  IN THE APP
                Calories             –            unknown      0 cal, 0 %
                From Fat             –            –            0 cal
                Total Fat            –            unknown      0 g, 0 %
                Saturated Fat        –            unknown      0 g, 0 %
                Trans Fat            –            –            0 g
                Cholesterol          –            unknown      0 mg, 0 %
                Sodium               –            unknown      0 mg, 0 %
                Total Carbohydrates  –            unknown      0 g, 0 %
                Dietary Fiber        –            unknown      0 g, 0 %
                Sugars               –            –            0 g
                Protein              –            –            0 g
                Vitamin A            –            unknown      0 %, 0 %
                Vitamin C            –            unknown      0 %, 0 %
                Calcium              –            unknown      0 %, 0 %
                Iron                 –            unknown      0 %, 0 %

                Fri 2015-05-29  Dinner: Feast, Covel
                Quick service  Dinner: Rendezvous

                """,
            "\(food.errors)"
        )
        let swipes = try await CommandLineTool.run(
            try Executable.inspect(),
            ["menus", "swipes", "--plan", "Gold14", "--at", "2026-11-20T12:30"]
        )
        #expect(
            swipes.output == """
                5 swipes should be left on the plan Gold 14 after lunch on Friday of week 6
                  1 of the same day
                  4 of the rest of the week
                  0 of the weeks after: this plan's end with the week
                The app takes Fri 2026-11-20 for Week Seven of Fall.
                The app's quarters begin as in 2014–15 whatever the year (BL-B3), so the week may be wrong; --week names it.

                """,
            "\(swipes.errors)"
        )
    }
}
