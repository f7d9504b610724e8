import Lenses

extension InputError {
    /// Says of an option's value that nothing captured has it, and which values there are.
    init(_ unknown: UnknownValue) { self.init(unknown.words { "--\($0)" }) }
}
