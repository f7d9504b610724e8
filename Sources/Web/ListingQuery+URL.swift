import Foundation
import Traffic

extension ListingQuery {
    /// Rows that one answer carries at most.
    static let limitMaximum = 1_000

    /// Reads a listing's address: `code=500,404&method=GET&since=10m&limit=50&after=1042`; a key may be repeated.
    ///
    /// - Parameters:
    ///   - items: the address's query.
    ///   - now: the moment that relative times count back from.
    /// - Throws: `FilterError` naming the key, the value and what was expected.
    init(_ items: QueryItems, now: Date = Date()) throws {
        self.init()
        for item in items.items {
            switch item.name {
            case "limit": limit = Int(try ListingQuery.whole(item, in: 0...Int64(ListingQuery.limitMaximum)))
            case "after": after = try ListingQuery.whole(item, in: 0...Int64.max)
            case "facets":
                guard item.value == "true" || item.value == "false" else {
                    throw FilterError("facets=\(item.value): expected true or false")
                }
                countsFacets = item.value == "true"
            default: try filter.read(item, now: now)
            }
        }
    }

    private static func whole(_ item: QueryItems.Item, in range: ClosedRange<Int64>) throws -> Int64 {
        guard let number = Int64(item.value), range.contains(number) else {
            throw FilterError(
                "\(item.name)=\(item.value): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}

extension Filter {
    /// Reads the filter of an address; keys of the listing's paging are not the filter's.
    ///
    /// - Throws: `FilterError` naming the key, the value and what was expected.
    init(_ items: QueryItems, now: Date = Date()) throws {
        self.init()
        for item in items.items { try read(item, now: now) }
    }

    fileprivate mutating func read(_ item: QueryItems.Item, now: Date) throws {
        if item.name == "since" {
            since = try Moment.parse(item.value, key: "since", now: now)
        } else if item.name == "before" {
            before = try Moment.parse(item.value, key: "before", now: now)
        } else if let facet = Facet.all.first(where: { $0.name == item.name }) {
            for value in item.value.split(separator: ",", omittingEmptySubsequences: false) {
                select(try FacetSelector(String(value), in: facet), in: facet)
            }
        } else {
            let known = Facet.all.map(\.name) + ["since", "before", "limit", "after", "facets"]
            throw FilterError("\(item.name) is not a key of the listing; the keys are \(known.joined(separator: ", "))")
        }
    }
}
