/// What a schema says of a value: besides yes and no, that it cannot be told.
///
/// What asserts something that is not understood is neither kept nor broken: taken for kept, it would be broken under `not` and beside another choice of
/// `oneOf`. The three are Kleene's: of several that must hold the worst decides, of several that may the best.
enum SchemaVerdict: Comparable, Sendable {
    case fails, unknown, holds

    /// The opposite, as `not` has it (JSON Schema Core §10.2.1.4).
    var opposite: SchemaVerdict {
        switch self {
        case .fails: .holds
        case .unknown: .unknown
        case .holds: .fails
        }
    }

    /// Takes in another that must hold too.
    mutating func meet(_ other: SchemaVerdict) { self = min(self, other) }
}
