extension CampusSeed {
    private static let commons = ("Rivanna Commons", "4400 Patriot Ring Rd")
    private static let union = ("Shenandoah Union", "4477 Aquia Creek Ln")
    private static let unionLower = ("Shenandoah Union", "4477 Aquia Creek Ln, Level 0")
    private static let otterCreek = ("Otter Creek Hall", "4353 Chesapeake River Wy")
    private static let library = ("Massanutten Library", "4348 Chesapeake River Wy")
    private static let bullRun = ("Bull Run Hall", "10890 George Mason Cir")
    private static let founders = ("Founders Square", "3351 Fairfax Dr")
    private static let barn = ("Cedar Meadow Barn", "1500 Remount Rd")
    private static let mall = ("University Mall", "10659 Braddock Rd")
    private static let fieldhouse = ("Piedmont Fieldhouse", "4350 Banister Creek Ct")
    private static let tower = ("Blue Ridge Tower", "10415 Presidents Park Dr")

    private static let officeHours = [WeekEntry(WeekEntry.weekdays, 830, 1700)]

    /// Every facility, the edge cases first.
    var plans: [FacilityPlan] { edgeCases + moreEdgeCases + everydayPlans }

    private var edgeCases: [FacilityPlan] {
        [
            plan(  // A; the last entry goes from Sunday to Monday
                "rivanna-kitchen",
                "Rivanna Kitchen",
                Self.commons,
                1,
                [
                    WeekEntry(WeekEntry.weekdays, 700, 200, nights: 1),
                    WeekEntry(WeekEntry.weekend, 1030, 200, nights: 1),
                ],
                tags: ["buffet", "breakfast", "halal", "vegan"],
                phone: "703-555-0101",
                classifier: "shopmason"
            ),
            plan(  // B
                "late-slice",
                "The Late Slice",
                Self.union,
                3,
                [WeekEntry([0, 1, 2, 3, 6], 1100, 2200), WeekEntry([4, 5], 1100, 100, nights: 1)],
                tags: ["pizza", "subs"],
                phone: "(703)555-0102",
                classifier: "shopmason",
                tapingo: 4021
            ),
            plan(  // C
                "quad-market",
                "Quad Market 24/7",
                Self.tower,
                9,
                [],
                isTwentyFourHours: true,
                tags: ["groceries", "snacks", "coffee"],
                phone: "7035550103",
                classifier: "shopmason",
                note: "Card swipe at the side door after midnight."
            ),
            plan(  // D
                "gold-leaf-grill",
                "Gold Leaf Grill",
                Self.unionLower,
                2,
                [WeekEntry(WeekEntry.weekdays, 1030, 2000), WeekEntry(WeekEntry.weekend, 1200, 1900)],
                specials: [
                    SpecialPlan(
                        name: "Closed for inventory",
                        days: 0...1,
                        week: [WeekEntry(WeekEntry.everyDay, 0, 0)]
                    )
                ],
                tags: ["burgers", "fries"],
                phone: "703-555-0104",
                classifier: "shopmason"
            ),
            plan(  // E
                "massanutten-library",
                "Massanutten Library",
                Self.library,
                6,
                [
                    WeekEntry([0, 1, 2, 3], 730, 0, nights: 1), WeekEntry([4], 730, 2200),
                    WeekEntry([5], 900, 2200), WeekEntry([6], 900, 0, nights: 1),
                ],
                specials: [SpecialPlan(name: "Finals: open all night", days: -3...6, isTwentyFourHours: true)],
                tags: ["study", "printing"],
                phone: "703-555-0105"
            ),
            plan(  // F; Wednesday ends on Thursday, a day too late
                "rappahannock-tacos",
                "Rappahannock Tacos",
                Self.union,
                3,
                [WeekEntry([0, 1, 3, 4], 1130, 2000), WeekEntry([2], 1130, 1300, nights: 1)],
                tags: ["tacos", "burritos"],
                phone: "703-555-0106",
                classifier: "shopmason",
                tapingo: 4022
            ),
            plan(  // G; around the clock, but for a second a day
                "night-owl-diner",
                "Night Owl Diner",
                Self.tower,
                2,
                [WeekEntry(WeekEntry.everyDay, 0, 2359, endSecond: 59)],
                tags: ["breakfast all day", "milkshakes"],
                phone: "703-555-0107",
                classifier: "shopmason"
            ),
            plan(  // H
                "skyline-fitness",
                "Skyline Fitness",
                Self.fieldhouse,
                7,
                [WeekEntry(WeekEntry.everyDay, 600, 2359)],
                tags: ["gym", "pool"],
                phone: "703-555-0108"
            ),
            plan(  // I
                "founders-table",
                "Founders Table",
                Self.founders,
                1,
                [WeekEntry(WeekEntry.weekdays, 1130, 1300), WeekEntry(WeekEntry.weekdays, 1700, 1900)],
                tags: ["buffet"],
                phone: "703-555-0109",
                classifier: "shopmason"
            ),
        ]
    }

    private var moreEdgeCases: [FacilityPlan] {
        [
            plan(  // J; 22:00 to 02:00 of the same day
                "moonlight-noodles",
                "Moonlight Noodles",
                Self.unionLower,
                3,
                [WeekEntry(WeekEntry.everyDay, 2200, 200)],
                tags: ["noodles"],
                classifier: "shopmason"
            ),
            plan(  // K
                "cedar-meadow-farm-stand",
                "Cedar Meadow Farm Stand",
                Self.barn,
                9,
                [],
                tags: ["produce"],
                note: "Reopens in spring.",
                season: "Winter"
            ),
            plan(  // L
                "harvest-bowl",
                "Harvest Bowl",
                Self.union,
                2,
                [WeekEntry(WeekEntry.weekdays, 1000, 2100)],
                specials: [
                    SpecialPlan(name: "Dates to be announced", days: nil, week: [WeekEntry([0], 1000, 1400)])
                ],
                tags: ["salads", "vegan"],
                phone: "703-555-0112",
                classifier: "shopmason"
            ),
            plan(  // M
                "dukes-donuts",
                "Duke's Donuts & Café",
                Self.otterCreek,
                4,
                [WeekEntry(WeekEntry.weekdays, 630, 1900), WeekEntry(WeekEntry.weekend, 800, 1600)],
                tags: ["donuts", "coffee", "breakfast"],
                phone: "703-555-0113",
                classifier: "shopmason",
                tapingo: 4023,
                note: "Jalapeño kolaches until they are gone."
            ),
            plan(  // N; its place has no friendly name
                "registrar-window",
                "Registrar's Window",
                Self.otterCreek,
                5,
                Self.officeHours,
                phone: "703-555-0114"
            ),
            plan(  // O; the other Office
                "parking-services",
                "Parking Services",
                Self.commons,
                8,
                Self.officeHours,
                phone: "703-555-0115"
            ),
            plan(  // P; the special is long past
                "bull-run-brews",
                "Bull Run Brews",
                Self.bullRun,
                4,
                [WeekEntry(WeekEntry.weekdays, 730, 1800)],
                specials: [
                    SpecialPlan(
                        name: "Orientation week",
                        days: -90 ... -83,
                        week: [WeekEntry(WeekEntry.everyDay, 800, 2000)]
                    )
                ],
                tags: ["coffee", "bagels"],
                phone: "703-555-0116",
                classifier: "shopmason"
            ),
        ]
    }

    private var everydayPlans: [FacilityPlan] {
        [
            plan(
                "patriot-pages",
                "Patriot Pages Bookstore",
                Self.union,
                9,
                [WeekEntry(WeekEntry.weekdays, 900, 1900), WeekEntry([5], 1100, 1600)],
                specials: [
                    SpecialPlan(
                        name: "Winter buyback",
                        days: 14...21,
                        week: [WeekEntry(WeekEntry.weekdays, 800, 2100)],
                        startFraction: 0.25
                    )
                ],
                tags: ["books", "apparel"],
                phone: "703-555-0117"
            ),
            plan(
                "tidal-sushi",
                "Tidal Sushi",
                Self.union,
                2,
                [WeekEntry(WeekEntry.weekdays, 1100, 2000)],
                tags: ["sushi", "bento"],
                phone: "703-555-0118",
                classifier: "shopmason",
                tapingo: 4024
            ),
            plan(
                "steam-and-crema",
                "Steam & Crema",
                Self.library,
                4,
                [
                    WeekEntry(WeekEntry.weekdays, 700, 2200), WeekEntry([5], 900, 1800),
                    WeekEntry([6], 1000, 2300),
                ],
                tags: ["coffee", "tea"],
                phone: "703-555-0119",
                classifier: "shopmason"
            ),
            plan(
                "bull-run-grill",
                "Bull Run Grill",
                Self.bullRun,
                1,
                [WeekEntry(WeekEntry.weekdays, 800, 1930)],
                tags: ["buffet", "grill"],
                phone: "703-555-0120",
                classifier: "shopmason"
            ),
            plan(
                "founders-espresso",
                "Founders Espresso",
                Self.founders,
                4,
                [WeekEntry(WeekEntry.weekdays, 730, 1900)],
                tags: ["coffee"],
                phone: "703-555-0121"
            ),
            plan(
                "fieldhouse-courts",
                "Fieldhouse Courts",
                Self.fieldhouse,
                7,
                [WeekEntry(WeekEntry.weekdays, 600, 2300), WeekEntry(WeekEntry.weekend, 800, 2200)],
                tags: ["basketball", "climbing"],
                phone: "703-555-0122"
            ),
            plan(
                "student-health",
                "Student Health Services",
                Self.unionLower,
                5,
                [WeekEntry([0, 1, 3, 4], 830, 1700), WeekEntry([2], 1000, 1700)],
                phone: "703-555-0123"
            ),
            plan(
                "mall-pho",
                "Phở on Braddock",
                Self.mall,
                2,
                [WeekEntry([1, 2, 3, 4, 5, 6], 1000, 2130)],
                tags: ["noodles", "soup"],
                phone: "703-555-0124"
            ),
            plan(
                "conservation-mess",
                "Conservation Mess Hall",
                Self.barn,
                1,
                [
                    WeekEntry(WeekEntry.everyDay, 700, 900), WeekEntry(WeekEntry.everyDay, 1200, 1330),
                    WeekEntry(WeekEntry.everyDay, 1730, 1900),
                ],
                tags: ["family style"],
                phone: "540-555-0125"
            ),
            plan(
                "it-help-desk",
                "IT Help Desk",
                Self.library,
                5,
                [WeekEntry(WeekEntry.weekdays, 800, 2000), WeekEntry([5], 1000, 1600)],
                tags: ["wifi", "laptops"],
                phone: "703-555-0126"
            ),
            plan(  // R
                "tower-laundry",
                "Tower Laundry",
                Self.tower,
                9,
                [],
                isTwentyFourHours: true,
                specials: [
                    SpecialPlan(
                        name: "Closed at night for repairs",
                        days: 0...1,
                        week: [WeekEntry(WeekEntry.everyDay, 600, 2200)]
                    )
                ],
                tags: ["laundry"]
            ),
        ]
    }

    private func plan(
        _ slug: String,
        _ name: String,
        _ place: (building: String, address: String),
        _ kindID: Int,
        _ week: [WeekEntry],
        isTwentyFourHours: Bool = false,
        specials: [SpecialPlan] = [],
        tags: [String] = [],
        phone: String = "",
        classifier: String = "",
        tapingo: Int? = nil,
        note: String = "",
        season: String = "Fall / Spring Hours"
    ) -> FacilityPlan {
        FacilityPlan(
            slug: slug,
            name: name,
            building: place.building,
            address: place.address,
            kindID: kindID,
            week: week,
            isTwentyFourHours: isTwentyFourHours,
            specials: specials,
            tags: tags,
            phone: phone,
            classifier: classifier,
            tapingo: tapingo,
            note: note,
            season: season
        )
    }
}
