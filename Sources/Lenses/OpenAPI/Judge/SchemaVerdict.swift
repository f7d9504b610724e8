/// A schema's verdict on a value: it fits, it fails, or that cannot be told.
///
/// An assertion that is not understood is neither kept nor broken: taken for kept, it would be broken under `not` and beside another choice of
/// `oneOf`. The three values are Kleene's: the worst of several that must hold decides, and the best of several that may.
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

    /// Joins the verdict of another schema that must hold too.
    mutating func meet(_ other: SchemaVerdict) { self = min(self, other) }
}
