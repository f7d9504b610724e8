import Foundation

/// What one field of a row holds, for filters, search and ordering.
enum FieldValue: Sendable, Equatable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case moment(Date?)
}
