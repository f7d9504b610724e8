extension ExchangeAlignment.Place {
    /// The exchange on the left.
    package var left: ExchangeID? {
        switch self {
        case .both(let left, _), .removed(let left): left
        case .added: nil
        }
    }

    /// The exchange on the right.
    package var right: ExchangeID? {
        switch self {
        case .both(_, let right), .added(let right): right
        case .removed: nil
        }
    }
}
