/// A reference that leads to one of several schemas of a name, by the way on which it was come to (JSON Schema Core §8.2.3.2).
struct DynamicReference: Sendable {
    /// Where it leads when no resource on the way has the name.
    let initial: Schema.Number
    let targets: DynamicTargets

    /// Every schema that it may lead to.
    var all: [Schema.Number] { [initial] + targets.numbers.filter { $0 != initial } }

    /// Where it leads by the resources on the way, the outermost first.
    func target(in scope: [String]) -> Schema.Number {
        scope.lazy.compactMap { targets.byResource[$0] }.first ?? initial
    }
}
