package import Traffic

/// The options of a question to a place, by name: those in the page's address, or those of a command.
package struct PlaceOptions: Sendable {
    private var items: [(name: String, value: String)]

    /// - Parameter items: the options in their order; of an option that takes one value the last counts.
    package init(_ items: [(name: String, value: String)] = []) { self.items = items }

    /// Adds an option unless its value is `nil`.
    package mutating func add(_ name: String, _ value: String?) {
        if let value { items.append((name, value)) }
    }

    /// Adds an option once for each value.
    package mutating func add(_ name: String, _ values: [String]) {
        items += values.map { (name, $0) }
    }

    /// Adds a flag that was given.
    package mutating func add(_ name: String, _ isGiven: Bool) {
        if isGiven { items.append((name, "true")) }
    }

    /// The value of an option, the last one where there are several.
    package func value(_ name: String) -> String? { items.last { $0.name == name }?.value }

    /// All values of an option, in their order; a comma is part of a value.
    package func values(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The parts of an option's comma lists, empty parts left out.
    package func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",").map(String.init) }
    }

    /// Whether a flag is given as true; its bare name means true.
    ///
    /// - Throws: `PlaceProblem.flag` for a value that is neither true nor false.
    package func flag(_ name: String) throws(PlaceProblem) -> Bool {
        var isGiven = false
        for item in items where item.name == name {
            switch item.value {
            case "", "true": isGiven = true
            case "false": break
            default: throw .flag(option: name, given: item.value)
            }
        }
        return isGiven
    }

    /// The one exchange of the option `from-capture`; without that option, the exchanges that a filter selects.
    ///
    /// - Throws: `PlaceProblem.value` for a value that is no exchange's number.
    package func source(_ filter: Filter) throws(PlaceProblem) -> CaptureSelection {
        guard let text = value("from-capture") else { return .matching(filter) }
        guard let id = ExchangeID(text) else {
            throw .value(option: "from-capture", given: text, expectation: "expected the number of an exchange")
        }
        guard id > 0 else {
            throw .value(
                option: "from-capture",
                given: text,
                expectation: "expected the number of an exchange, 1 or more"
            )
        }
        return .one(id)
    }
}
