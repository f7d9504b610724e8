import Traffic

/// A check of one menu's payload against the rules.
struct DiningPayloadCheck {
    private(set) var findings: [CheckFinding] = []
    /// The first value that crashes the app: its kind, its text and its place.
    private var crash: (kind: String, value: String, place: String)?

    private let payload: JSONValue
    private let menu: DiningMenu
    private let record: CloudKitRecord
    private let side: MessageSide
    /// The payload's place in the body.
    private let pointer: String

    init(_ payload: JSONValue, _ menu: DiningMenu, record: CloudKitRecord, side: MessageSide, pointer: String) {
        self.payload = payload
        self.menu = menu
        self.record = record
        self.side = side
        self.pointer = pointer
    }

    /// Checks the whole payload, in the order of the rules.
    mutating func run() {
        date()
        let meals = payload["meals"]?.namedMembers ?? []
        let foods = Dictionary(payload["foods"]?.namedMembers?.map { ($0.name, $0.value) } ?? []) { _, last in last }
        for meal in meals { self.meal(meal.name, meal.value, foods) }
        for food in payload["foods"]?.namedMembers ?? [] { self.food(food.name, food.value) }
        if let crash {
            let sentence = "The app crashes: unknown \(crash.kind) “\(crash.value)”."
            find(
                DiningRules.crash,
                "The payload of \(record.name ?? "a record") names an unknown \(crash.kind)",
                crash.place,
                consequence: sentence
            )
        }
    }

    private mutating func date() {
        guard let written = CampusDay(short: menu.date) else {
            return find(
                DiningRules.date,
                "The date “\(menu.date)” is no date such as 5/29/15",
                "/date",
                consequence: "The app crashes: it takes for granted that the text is a date."
            )
        }
        if record.type == CloudKitRecord.dayType, let day = record.day, day != written {
            find(DiningRules.date, "The date “\(menu.date)” is \(written.text), but Day is \(day.text)", "/date")
        }
    }

    private mutating func meal(_ name: String, _ value: JSONValue, _ foods: [String: JSONValue]) {
        let place = JSONPointer.child(name, of: "/meals")
        known(name, DiningMeal.known, "meal", place)
        for hall in value["halls"]?.namedMembers ?? [] {
            let place = JSONPointer.child(hall.name, of: JSONPointer.child("halls", of: place))
            known(hall.name, DiningHall.known, "hall", place)
            if let inner = hall.value["hall"]?.string, inner != hall.name {
                known(inner, DiningHall.known, "hall", JSONPointer.child("hall", of: place))
            }
            hours(hall.value, "\(hall.name) at \(name)", place)
            let sections = JSONPointer.child("sections", of: place)
            for (number, section) in (hall.value["sections"]?.elements ?? []).enumerated() {
                let list = JSONPointer.child("foods", of: JSONPointer.child(number, of: sections))
                for (number, food) in (section["foods"]?.elements ?? []).enumerated() {
                    served(food, meal: name, hall: hall.name, foods, JSONPointer.child(number, of: list))
                }
            }
        }
    }

    private mutating func hours(_ hall: JSONValue, _ name: String, _ place: String) {
        guard let hours = DiningHours(hall) else {
            return find(DiningRules.hours, "\(name) has hours that cannot be read", place)
        }
        if !hours.isOrdered { find(DiningRules.hours, "\(name) is open \(hours.text)", place) }
    }

    private mutating func served(
        _ food: JSONValue,
        meal: String,
        hall: String,
        _ foods: [String: JSONValue],
        _ place: String
    ) {
        let name = food["name"]?.string ?? "a food without a name"
        type(food["type"], of: name, place)
        guard let recipe = food["recipe"]?.string else {
            return find(DiningRules.recipes, "\(name) has no recipe", place)
        }
        guard let known = foods[recipe] else {
            return find(DiningRules.recipes, "\(name) has the recipe \(recipe), which is not among the foods", place)
        }
        if known["places"]?[meal]?[hall]?.boolean != true {
            let message = "\(name) is served at \(hall) for \(meal), but its places do not say so"
            find(DiningRules.recipes, message, place)
        }
    }

    private mutating func food(_ recipe: String, _ value: JSONValue) {
        let place = JSONPointer.child("info", of: JSONPointer.child(recipe, of: "/foods"))
        let info = value["info"] ?? .null
        let name = info["name"]?.string ?? recipe
        type(info["type"], of: name, place)
        var odd: [String] = []
        var measures: [String] = []
        for nutrient in Nutrient.allCases {
            guard let measure = info[nutrient.rawValue] else {
                odd.append("\(nutrient.rawValue) is missing")
                continue
            }
            guard let text = measure.string else {
                odd.append("\(nutrient.rawValue) is \(measure.kind)")
                continue
            }
            guard !NutrientMeasure(text).isNumeric else { continue }
            odd.append("\(nutrient.rawValue) is “\(text)”")
            if NutrientMeasure(text).amount != nil { measures.append(told(nutrient, text)) }
        }
        if !odd.isEmpty {
            let listed = odd.prefix(3).joined(separator: ", ") + (odd.count > 3 ? " and \(odd.count - 3) more" : "")
            find(DiningRules.nutrients, "Of \(name) \(listed)", place)
        }
        if let first = measures.first {
            find(DiningRules.measure, "\(name) has a measure that is more than a number", place, consequence: first)
        }
    }

    /// What the app shows for a measure with text beside its number.
    private func told(_ nutrient: Nutrient, _ text: String) -> String {
        let percent = NutritionLine(nutrient, text).clientPercent.map { " and the circle \($0) %" } ?? ""
        return "The app's label says 0 \(nutrient.unit)\(percent) for \(nutrient.rawValue) “\(text)”."
    }

    private mutating func type(_ value: JSONValue?, of food: String, _ place: String) {
        guard let value else { return }
        let place = JSONPointer.child("type", of: place)
        guard let type = value.string else {
            return find(DiningRules.names, "The type of \(food) is \(value.kind), not a string", place)
        }
        known(type, DiningFood.knownTypes, "food type", place)
    }

    private mutating func known(_ value: String, _ known: [String], _ kind: String, _ place: String) {
        guard !known.contains(value) else { return }
        if crash == nil { crash = (kind, value, place) }
        find(DiningRules.names, "“\(value)” is no \(kind) that the app knows", place)
    }

    /// Adds a finding at a place inside the payload.
    private mutating func find(_ rule: CheckRule, _ message: String, _ place: String, consequence: String? = nil) {
        let sentence = "\(message) (payload: \(place))."
        findings.append(CheckFinding(rule, in: side, at: pointer, sentence, consequence: consequence))
    }
}
