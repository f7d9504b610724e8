import Foundation

/// A value of a row's field, for filters, search and ordering.
enum FieldValue: Sendable, Equatable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case moment(Date?)
}
