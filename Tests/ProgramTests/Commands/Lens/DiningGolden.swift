import Foundation
import Traffic

/// Questions to the places of the dining menus, and captures that answer them.
enum DiningGolden {
    private static let path = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query"
    private static let oatmeal = #""name":"Oatmeal\u001b[31m","recipe":"059101","type":"Vegan""#
    private static let taco = #""name":"Taco","recipe":"059140","type":"""#

    /// Every nutrient of oatmeal but calcium.
    private static let nutrients: String = {
        let names = [
            "Calories", "From Fat", "Total Fat", "Saturated Fat", "Trans Fat", "Cholesterol", "Sodium",
            "Total Carbohydrates", "Dietary Fiber", "Sugars", "Protein", "Vitamin A", "Vitamin C",
        ]
        let facts = names.map { #""\#($0)":"\#($0 == "Calories" ? "678" : "1")""# }
        return (facts + [#""Iron":"< 1g""#]).joined(separator: ",")
    }()

    private static let foods =
        #""059101":{"info":{\#(oatmeal),"ingredients":"Rolled oats","description":"","country":"",\#(nutrients)}},"#
        + #""059140":{"info":{\#(taco),"ingredients":"Corn","country":"Mexico"}}"#

    private static func hours(_ opens: Int, _ closes: Int, _ minute: Int = 30) -> String {
        #""openHour":\#(opens),"openMin":0,"closeHour":\#(closes),"closeMin":\#(minute)"#
    }

    private static func hall(_ name: String, _ hours: String, _ section: String, _ foods: String...) -> String {
        let foods = foods.map { "{\($0)}" }.joined(separator: ",")
        return #""\#(name)":{"hall":"\#(name)",\#(hours),"sections":[{"name":"\#(section)","foods":[\#(foods)]}]}"#
    }

    private static func meal(_ name: String, _ halls: String...) -> String {
        #""\#(name)":{"halls":{\#(halls.joined(separator: ","))}}"#
    }

    private static func record(_ name: String, _ type: String, _ payload: String, day: String = "") -> String {
        let data = Data(payload.utf8).base64EncodedString()
        return #"{"recordName":"\#(name)","recordType":"\#(type)","#
            + #""fields":{\#(day)"Data":{"value":"\#(data)","type":"BYTES"}}}"#
    }

    private static func menu(_ date: String, _ meals: String..., foods: String = foods) -> String {
        #"{"date":"\#(date)","meals":{\#(meals.joined(separator: ","))},"foods":{\#(foods)}}"#
    }

    /// A store with an older and a newer menu of Friday 29 May 2015, quick service, and a menu that cannot be read.
    static func store() async throws -> CapturedStore {
        let friday = #""Day":{"value":1432882800000},"#
        let older = menu("5/29/15", meal("Lunch", hall("De Neve", hours(11, 14), "Old", oatmeal)))
        let newer = menu(
            "5/29/15",
            meal("Breakfast", hall("De Neve", hours(7, 10), "The Kitchen", oatmeal)),
            meal(
                "Dinner",
                hall("Covel", hours(17, 26), "Grill", taco, oatmeal),
                hall("Feast", hours(9, 9, 0), "Wok", taco)
            )
        )
        let quick = menu(
            "",
            meal("Dinner", hall("Rendezvous", #""x":1"#, "Counter", taco)),
            foods: #""059140":{"info":{\#(taco)}}"#
        )
        let answers = [
            [record("5/29/15", "DiningDay", older, day: friday)],
            [
                record("5/29/15", "DiningDay", newer, day: friday), record("quick", "QuickMenu", quick),
                record("bad", "DiningDay", "[]"),
            ],
        ]
        let store = try CapturedStore()
        for (place, records) in answers.enumerated() {
            try await store.record(
                Sample(
                    CaptureToken(place + 1),
                    "POST",
                    path,
                    host: "127.0.0.1",
                    fields: "Content-Type: application/json\r\n",
                    responseBody: Array(#"{"records":[\#(records.joined(separator: ","))]}"#.utf8)
                )
            )
        }
        try await store.record(Sample(3, "GET", "/other"))
        return store
    }

    static let all = [
        PlaceGolden(
            place: "menus",
            options: [("at", "2015-05-29T18:30"), ("favourite", "059101,1"), ("favourite", "059140")],
            arguments: ["menus", "--at", "2015-05-29T18:30", "--favourite", "059101,1", "--favourite", "059140"],
            json: #"""
                {"at":"2015-05-29T18:30:00-07:00","days":[{"date":"2015-05-29","capture":2,"quickCapture":2,"meals":[{"meal":"Breakfast",\#
                "halls":[{"hall":"De Neve","quick":false,"opens":"2015-05-29T07:00:00-07:00","closes":"2015-05-29T10:30:00-07:00",\#
                "openNow":false,"sections":[{"section":"The Kitchen","foods":[{"name":"Oatmeal\u001b[31m","type":"Vegan",\#
                "recipe":"059101","favourite":true}]}]}]},{"meal":"Dinner","halls":[{"hall":"Feast","quick":false,"opens":null,\#
                "closes":null,"openNow":false,"sections":[{"section":"Wok","foods":[{"name":"Taco","type":"Regular","recipe":"059140",\#
                "favourite":true}]}]},{"hall":"Covel","quick":false,"opens":"2015-05-29T17:00:00-07:00",\#
                "closes":"2015-05-30T02:30:00-07:00","openNow":true,"sections":[{"section":"Grill","foods":[{"name":"Taco",\#
                "type":"Regular","recipe":"059140","favourite":true},{"name":"Oatmeal\u001b[31m","type":"Vegan","recipe":"059101",\#
                "favourite":true}]}]},{"hall":"Rendezvous","quick":true,"opens":null,"closes":null,"openNow":false,\#
                "sections":[{"section":"Counter","foods":[{"name":"Taco","type":"Regular","recipe":"059140","favourite":true}]}]}]}]}],\#
                "complete":true}
                """#
        ),
        PlaceGolden(
            place: "menus",
            options: [("at", "2015-05-29T18:30"), ("day", "all"), ("diet", "vegan")],
            arguments: ["menus", "--at", "2015-05-29T18:30", "--day", "all", "--type", "vegan"],
            json: #"""
                {"at":"2015-05-29T18:30:00-07:00","days":[{"date":"2015-05-29","capture":2,"quickCapture":null,\#
                "meals":[{"meal":"Breakfast","halls":[{"hall":"De Neve","quick":false,"opens":"2015-05-29T07:00:00-07:00",\#
                "closes":"2015-05-29T10:30:00-07:00","openNow":false,"sections":[{"section":"The Kitchen",\#
                "foods":[{"name":"Oatmeal\u001b[31m","type":"Vegan","recipe":"059101","favourite":false}]}]}]},{"meal":"Dinner",\#
                "halls":[{"hall":"Covel","quick":false,"opens":"2015-05-29T17:00:00-07:00","closes":"2015-05-30T02:30:00-07:00",\#
                "openNow":true,"sections":[{"section":"Grill","foods":[{"name":"Oatmeal\u001b[31m","type":"Vegan","recipe":"059101",\#
                "favourite":false}]}]}]}]}],"complete":true}
                """#
        ),
        PlaceGolden(
            place: "menus",
            options: [("at", "2015-05-30T01:30"), ("open-now", "true"), ("hall", "cov"), ("search", "corn")],
            arguments: ["menus", "--at", "2015-05-30T01:30", "--open-now", "--hall", "cov", "--search", "corn"],
            json: #"""
                {"at":"2015-05-30T01:30:00-07:00","days":[{"date":"2015-05-29","capture":2,"quickCapture":null,"meals":[{"meal":"Dinner",\#
                "halls":[{"hall":"Covel","quick":false,"opens":"2015-05-29T17:00:00-07:00","closes":"2015-05-30T02:30:00-07:00",\#
                "openNow":true,"sections":[{"section":"Grill","foods":[{"name":"Taco","type":"Regular","recipe":"059140",\#
                "favourite":false}]}]}]}]}],"complete":true}
                """#
        ),
        PlaceGolden(
            place: "menus",
            options: [("at", "2015-05-30"), ("from-capture", "1")],
            arguments: ["menus", "--at", "2015-05-30", "--from-capture", "1"],
            json: #"""
                {"at":"2015-05-30T00:00:00-07:00","days":[{"date":"2015-05-29","capture":1,"quickCapture":null,"meals":[{"meal":"Lunch",\#
                "halls":[{"hall":"De Neve","quick":false,"opens":"2015-05-29T11:00:00-07:00","closes":"2015-05-29T14:30:00-07:00",\#
                "openNow":false,"sections":[{"section":"Old","foods":[{"name":"Oatmeal\u001b[31m","type":"Vegan","recipe":"059101",\#
                "favourite":false}]}]}]}]}],"complete":true}
                """#
        ),
        PlaceGolden(
            place: "menus",
            options: [("at", "2015-05-30"), ("day", "fri"), ("open-now", "false")],
            arguments: ["menus", "--at", "2015-05-30", "--day", "fri"],
            json: #"""
                {"at":"2015-05-30T00:00:00-07:00","days":[],"complete":true}
                """#
        ),
        PlaceGolden(
            place: "food",
            options: [("food", "oatmeal"), ("servings", "3")],
            arguments: ["menus", "food", "oatmeal", "--servings", "3"],
            json: #"""
                {"recipe":"059101","name":"Oatmeal\u001b[31m","type":"Vegan","description":"","ingredients":"Rolled oats",\#
                "country":"","servings":3,"nutrition":[{"nutrient":"Calories","text":"678","amount":2034.0,"unit":"cal",\#
                "measure":"2034 cal","percent":101,"share":"101 %","under":false,"appPercent":99,"appAmount":2034.0,"ring":99},\#
                {"nutrient":"From Fat","text":"1","amount":3.0,"unit":"cal","measure":"3 cal","percent":null,"share":null,\#
                "under":false,"appPercent":null,"appAmount":3.0,"ring":null},{"nutrient":"Total Fat","text":"1","amount":3.0,\#
                "unit":"g","measure":"3 g","percent":4,"share":"4 %","under":false,"appPercent":3,"appAmount":3.0,"ring":3},\#
                {"nutrient":"Saturated Fat","text":"1","amount":3.0,"unit":"g","measure":"3 g","percent":15,"share":"15 %",\#
                "under":false,"appPercent":15,"appAmount":3.0,"ring":15},{"nutrient":"Trans Fat","text":"1","amount":3.0,"unit":"g",\#
                "measure":"3 g","percent":null,"share":null,"under":false,"appPercent":null,"appAmount":3.0,"ring":null},\#
                {"nutrient":"Cholesterol","text":"1","amount":3.0,"unit":"mg","measure":"3 mg","percent":1,"share":"1 %",\#
                "under":false,"appPercent":0,"appAmount":3.0,"ring":0},{"nutrient":"Sodium","text":"1","amount":3.0,"unit":"mg",\#
                "measure":"3 mg","percent":0,"share":"0 %","under":false,"appPercent":0,"appAmount":3.0,"ring":0},\#
                {"nutrient":"Total Carbohydrates","text":"1","amount":3.0,"unit":"g","measure":"3 g","percent":2,"share":"2 %",\#
                "under":false,"appPercent":0,"appAmount":3.0,"ring":0},{"nutrient":"Dietary Fiber","text":"1","amount":3.0,\#
                "unit":"g","measure":"3 g","percent":7,"share":"7 %","under":false,"appPercent":6,"appAmount":3.0,"ring":6},\#
                {"nutrient":"Sugars","text":"1","amount":3.0,"unit":"g","measure":"3 g","percent":null,"share":null,"under":false,\#
                "appPercent":null,"appAmount":3.0,"ring":null},{"nutrient":"Protein","text":"1","amount":3.0,"unit":"g",\#
                "measure":"3 g","percent":null,"share":null,"under":false,"appPercent":null,"appAmount":3.0,"ring":null},\#
                {"nutrient":"Vitamin A","text":"1","amount":3.0,"unit":"%","measure":"3 %","percent":3,"share":"3 %","under":false,\#
                "appPercent":3,"appAmount":3.0,"ring":3},{"nutrient":"Vitamin C","text":"1","amount":3.0,"unit":"%","measure":"3 %",\#
                "percent":3,"share":"3 %","under":false,"appPercent":3,"appAmount":3.0,"ring":3},{"nutrient":"Calcium","text":"",\#
                "amount":null,"unit":"%","measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,\#
                "ring":0},{"nutrient":"Iron","text":"< 1g","amount":3.0,"unit":"%","measure":"<3 %","percent":3,"share":"under 3 %",\#
                "under":true,"appPercent":0,"appAmount":0.0,"ring":0}],"places":[{"date":"2015-05-29","meal":"Breakfast",\#
                "halls":["De Neve"]},{"date":"2015-05-29","meal":"Dinner","halls":["Covel"]}]}
                """#
        ),
        PlaceGolden(
            place: "food",
            options: [("food", "059140"), ("from-capture", "2")],
            arguments: ["menus", "food", "059140", "--from-capture", "2"],
            json: #"""
                {"recipe":"059140","name":"Taco","type":"Regular","description":"","ingredients":"Corn","country":"Mexico",\#
                "servings":1,"nutrition":[{"nutrient":"Calories","text":"","amount":null,"unit":"cal","measure":"–","percent":null,\#
                "share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"From Fat","text":"","amount":null,\#
                "unit":"cal","measure":"–","percent":null,"share":null,"under":false,"appPercent":null,"appAmount":0.0,"ring":null},\#
                {"nutrient":"Total Fat","text":"","amount":null,"unit":"g","measure":"–","percent":null,"share":null,"under":false,\#
                "appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"Saturated Fat","text":"","amount":null,"unit":"g",\#
                "measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},\#
                {"nutrient":"Trans Fat","text":"","amount":null,"unit":"g","measure":"–","percent":null,"share":null,"under":false,\#
                "appPercent":null,"appAmount":0.0,"ring":null},{"nutrient":"Cholesterol","text":"","amount":null,"unit":"mg",\#
                "measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},\#
                {"nutrient":"Sodium","text":"","amount":null,"unit":"mg","measure":"–","percent":null,"share":null,"under":false,\#
                "appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"Total Carbohydrates","text":"","amount":null,"unit":"g",\#
                "measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},\#
                {"nutrient":"Dietary Fiber","text":"","amount":null,"unit":"g","measure":"–","percent":null,"share":null,\#
                "under":false,"appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"Sugars","text":"","amount":null,"unit":"g",\#
                "measure":"–","percent":null,"share":null,"under":false,"appPercent":null,"appAmount":0.0,"ring":null},\#
                {"nutrient":"Protein","text":"","amount":null,"unit":"g","measure":"–","percent":null,"share":null,"under":false,\#
                "appPercent":null,"appAmount":0.0,"ring":null},{"nutrient":"Vitamin A","text":"","amount":null,"unit":"%",\#
                "measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},\#
                {"nutrient":"Vitamin C","text":"","amount":null,"unit":"%","measure":"–","percent":null,"share":null,"under":false,\#
                "appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"Calcium","text":"","amount":null,"unit":"%","measure":"–",\#
                "percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,"ring":0},{"nutrient":"Iron","text":"",\#
                "amount":null,"unit":"%","measure":"–","percent":null,"share":null,"under":false,"appPercent":0,"appAmount":0.0,\#
                "ring":0}],"places":[{"date":"2015-05-29","meal":"Dinner","halls":["Feast","Covel"]},{"date":null,"meal":"Dinner",\#
                "halls":["Rendezvous"]}]}
                """#
        ),
        PlaceGolden(
            place: "swipes",
            options: [("plan", "bp19"), ("at", "2015-05-29T12:30")],
            arguments: ["menus", "swipes", "--plan", "bp19", "--at", "2015-05-29T12:30"],
            json: #"""
                {"plan":"BP19","week":8,"day":4,"dayName":"Friday","meal":"Lunch","left":43,"today":1,"restOfWeek":4,"laterWeeks":38,\#
                "quarter":"Spring","warning":null}
                """#
        ),
        PlaceGolden(
            place: "swipes",
            options: [("plan", "Cub 11"), ("week", "10"), ("day", "sun"), ("meal", "latenight")],
            arguments: ["menus", "swipes", "--plan", "Cub 11", "--week", "10", "--day", "sun", "--meal", "latenight"],
            json: #"""
                {"plan":"Cub11","week":10,"day":6,"dayName":"Sunday","meal":"Late Night","left":0,"today":0,"restOfWeek":0,"laterWeeks":0,\#
                "quarter":null,"warning":null}
                """#
        ),
        PlaceGolden(
            place: "swipes",
            options: [("plan", "Gold14"), ("at", "2026-11-20T12:30")],
            arguments: ["menus", "swipes", "--plan", "Gold14", "--at", "2026-11-20T12:30"],
            json: #"""
                {"plan":"Gold14","week":6,"day":4,"dayName":"Friday","meal":"Lunch","left":5,"today":1,"restOfWeek":4,"laterWeeks":0,\#
                "quarter":"Fall","warning":"The app's quarters begin as in 2014–15 whatever the year (BL-B3), so the week may be wrong"}
                """#
        ),
    ]
}
