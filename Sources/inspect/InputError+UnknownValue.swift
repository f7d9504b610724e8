import Lenses
import Traffic

extension InputError {
    /// Known values that are named; of more, so many and how many more.
    private static let namedValues = 12

    /// Says of an option's value that nothing captured has it, and which values there are.
    init(_ unknown: UnknownValue) {
        let named = unknown.known.prefix(InputError.namedValues).map(VisibleText.line).joined(separator: ", ")
        let rest = unknown.known.count - InputError.namedValues
        let nearest = EditDistance.nearest(to: unknown.value, in: unknown.known).map { "did you mean '\($0)'? " } ?? ""
        self.init(
            "--\(unknown.name) \(VisibleText.line(unknown.value)): nothing captured has it; "
                + VisibleText.line(nearest) + "there are \(named)\(rest > 0 ? " and \(rest) more" : "")"
        )
    }
}
