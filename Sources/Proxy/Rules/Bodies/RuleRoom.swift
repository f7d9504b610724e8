/// The room of a body that rules have let go on, and that its client may not have taken yet: it is given back with the last reference.
final class RuleRoom {
    private let bodies: RuleBodies
    private let count: Int

    /// Takes the room of so many bytes, which are there already, whether there is any or not.
    init(_ bodies: RuleBodies, bytes count: Int) {
        (self.bodies, self.count) = (bodies, count)
        bodies.add(count)
    }

    deinit { bodies.give(count) }
}
