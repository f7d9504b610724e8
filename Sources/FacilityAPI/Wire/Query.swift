import Foundation

/// A request's query, decoded as the servers we stand in for decode it: `+` is a space, a bare key has no value.
struct Query: Sendable, Equatable {
    /// One `key=value`, or a bare `key`.
    struct Item: Sendable, Equatable {
        let name: String
        /// nil for a bare key without `=`.
        let value: String?
    }

    /// The items in the order they came.
    let items: [Item]

    /// Splits a query; what cannot be percent-decoded stays as it came.
    init(_ raw: String?) {
        items = (raw ?? "").split(separator: "&").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return Item(
                name: Self.decoded(pair.first ?? ""),
                value: pair.count > 1 ? Self.decoded(pair[1]) : nil
            )
        }
    }

    /// The same with more items at its end.
    func adding(_ more: [Item]) -> Query { Query(items: items + more) }

    private init(items: [Item]) { self.items = items }

    /// The last value of a key, as Django and PHP take it; a bare key reads as empty.
    func value(_ name: String) -> String? {
        items.last { $0.name == name }.map { $0.value ?? "" }
    }

    /// The last value of a key as an integer.
    func integer(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }
    }

    /// Whether a key is there at all, with any value or none.
    func has(_ name: String) -> Bool {
        items.contains { $0.name == name }
    }

    /// Decodes one form-coded piece.
    static func decoded(_ text: some StringProtocol) -> String {
        let spaced = String(text).replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
