import Lenses
import Traffic

extension UnknownValue {
    /// Known values that are named at most.
    private static let namedValues = 12

    /// Says that nothing captured has the value, and which values there are.
    ///
    /// - Parameter option: how an option is named where the sentence is told.
    /// - Returns: the sentence, without a full stop.
    func words(_ option: (String) -> String) -> String {
        let named = known.prefix(UnknownValue.namedValues).map(VisibleText.line).joined(separator: ", ")
        let rest = known.count - UnknownValue.namedValues
        let nearest = EditDistance.nearest(to: value, in: known).map { "did you mean '\($0)'? " } ?? ""
        return "\(option(name)) \(VisibleText.line(value)): nothing captured has it; "
            + VisibleText.line(nearest) + "there are \(named)\(rest > 0 ? " and \(rest) more" : "")"
    }
}
