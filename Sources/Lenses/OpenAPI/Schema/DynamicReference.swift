/// A reference that leads to one of several schemas of a name, by the schemas that led to the reference (JSON Schema Core §8.2.3.2).
struct DynamicReference: Sendable {
    /// The target where no resource on the way has the name.
    let initial: Schema.Number
    let targets: DynamicTargets

    /// Every possible target.
    var all: [Schema.Number] { [initial] + targets.numbers.filter { $0 != initial } }

    /// The target by the resources on the way, the outermost first.
    func target(in scope: [String]) -> Schema.Number {
        scope.lazy.compactMap { targets.byResource[$0] }.first ?? initial
    }
}
