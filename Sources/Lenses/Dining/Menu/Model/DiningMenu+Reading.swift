import Foundation
package import Traffic

extension DiningMenu {
    /// The JSON text in the `Data` field of a record.
    static func payload(of record: CloudKitRecord) throws(DiningPayloadProblem) -> JSONValue {
        guard let field = record.field("Data") else { throw .missing }
        guard let text = field.value.string, let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        else { throw .notBase64 }
        do {
            return try CapturedBody(bytes: Array(bytes)).strictJSON()
        } catch {
            throw .notJSON(error.description)
        }
    }

    /// Reads a payload, and passes over members that are not as expected.
    ///
    /// - Throws: `DiningPayloadProblem.unsafe` where the app stops with "STOPPED UNSAFE RECORD": no string date, meals or foods that are no object.
    package init(_ payload: JSONValue) throws(DiningPayloadProblem) {
        guard payload.isObject else { throw .unsafe("it is \(payload.kind), not an object") }
        guard let date = payload["date"]?.string else { throw Self.unsafe("date", payload["date"], "a string") }
        guard let meals = payload["meals"]?.namedMembers else {
            throw Self.unsafe("meals", payload["meals"], "an object")
        }
        guard let foods = payload["foods"]?.namedMembers else {
            throw Self.unsafe("foods", payload["foods"], "an object")
        }
        self.date = date
        self.meals = meals.map { DiningMeal($0.name, $0.value) }.ordered(by: DiningMeal.known, \.name)
        self.foods = Dictionary(foods.map { ($0.name, DiningFood($0.name, $0.value)) }) { _, last in last }
    }

    /// Reads the payload of a record.
    init(of record: CloudKitRecord) throws(DiningPayloadProblem) { try self.init(Self.payload(of: record)) }

    private static func unsafe(_ name: String, _ value: JSONValue?, _ wanted: String) -> DiningPayloadProblem {
        .unsafe(value.map { "\(name) is \($0.kind), not \(wanted)" } ?? "\(name) is missing")
    }
}

extension DiningMeal {
    fileprivate init(_ name: String, _ value: JSONValue) {
        self.name = name
        halls = (value["halls"]?.namedMembers ?? []).map { DiningHall($0.name, $0.value) }
            .ordered(by: DiningHall.known, \.name)
    }
}

extension DiningHall {
    fileprivate init(_ name: String, _ value: JSONValue) {
        self.name = name
        hours = DiningHours(value)
        sections = (value["sections"]?.elements ?? []).map { section in
            DiningSection(
                name: section["name"]?.string ?? "",
                foods: (section["foods"]?.elements ?? []).map(ServedFood.init)
            )
        }
    }
}

extension ServedFood {
    fileprivate init(_ value: JSONValue) {
        name = value["name"]?.string ?? ""
        type = value["type"]?.string ?? ""
        recipe = value["recipe"]?.string ?? ""
    }
}

extension DiningFood {
    fileprivate init(_ recipe: String, _ value: JSONValue) {
        self.recipe = recipe
        let info = value["info"] ?? .null
        name = info["name"]?.string ?? recipe
        type = info["type"]?.string ?? ""
        for nutrient in Nutrient.allCases { measures[nutrient] = info[nutrient.rawValue]?.string }
        ingredients = info["ingredients"]?.string ?? ""
        description = info["description"]?.string ?? ""
        country = info["country"]?.string ?? ""
        places = (value["places"]?.namedMembers ?? []).map { place in
            (place.name, (place.value.namedMembers ?? []).filter { $0.value.boolean == true }.map(\.name))
        }
    }
}

extension JSONValue {
    /// An object's members; `nil` for anything else.
    var namedMembers: [(name: String, value: JSONValue)]? {
        if case .object(let members) = self { members } else { nil }
    }
}

extension Array {
    /// The elements with known names in the order of those names, then the others in their own order.
    fileprivate func ordered(by known: [String], _ name: (Element) -> String) -> [Element] {
        let places = map { known.firstIndex(of: name($0)) ?? known.count }
        return zip(self, places).enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
            .map { $0.element.0 }
    }
}
