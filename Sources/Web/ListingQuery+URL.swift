import Foundation
import Traffic

extension ListingQuery {
    /// Rows of one answer at most.
    static let limitMaximum = 1_000

    /// Reads a listing's address: `q=path:/v2&code=500,404&since=10m&limit=50&after=1042`; a key may be repeated.
    ///
    /// - Parameters:
    ///   - items: the address's query.
    ///   - now: the moment that relative times count back from.
    /// - Throws: `FilterError` naming the key, the value and what was expected.
    init(_ items: QueryItems, now: Date) throws {
        let paging = ["limit", "after", "newer", "sort", "skip", "facets"]
        self.init(filter: try Filter(items.filter { !paging.contains($0.name) }, now: now, beside: paging))
        for item in items.items where paging.contains(item.name) {
            switch item.name {
            case "limit": limit = Int(try ListingQuery.whole(item, in: 0...Int64(ListingQuery.limitMaximum)))
            case "after": after = try ListingQuery.whole(item, in: 0...Int64.max)
            case "newer": newer = try ListingQuery.whole(item, in: 0...Int64.max - 1)
            case "sort":
                guard let order = ListingOrder(item.value) else {
                    throw FilterError(
                        "sort=\(item.value): expected \(ListingOrder.names.joined(separator: ", ")), or one of them with a minus before it"
                    )
                }
                self.order = order
            case "skip": skip = Int(try ListingQuery.whole(item, in: 0...Int64(Int32.max)))
            default:
                guard item.value == "true" || item.value == "false" else {
                    throw FilterError("facets=\(item.value): expected true or false")
                }
                countsFacets = item.value == "true"
            }
        }
        guard after == nil || newer == nil else {
            throw FilterError("after and newer exclude each other: a page continues in one direction")
        }
        guard order != nil || skip == 0 else { throw FilterError("skip: only a page with sort begins at a rank") }
        guard order == nil || newer == nil else {
            throw FilterError("sort and newer exclude each other: a ranked page continues with skip")
        }
    }

    /// The whole number of a pair.
    ///
    /// - Throws: `FilterError` naming the key and the range.
    static func whole(_ item: QueryItems.Item, in range: ClosedRange<Int64>) throws -> Int64 {
        guard let number = Int64(item.value), range.contains(number) else {
            throw FilterError(
                "\(item.name)=\(item.value): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return number
    }
}

extension Filter {
    /// Reads the filter of an address: `q=` and the facets' own keys, which narrow each other.
    ///
    /// - Parameters:
    ///   - items: the address's query, without keys that are none of the filter's.
    ///   - now: the moment that relative times count back from.
    ///   - others: keys that a listing has beside the filter's, for its error; none where no listing is asked for.
    /// - Throws: `FilterError` naming the key, the value and what was expected; with the column for `q`.
    init(_ items: QueryItems, now: Date, beside others: [String] = []) throws {
        self.init()
        for item in items.items where item.name != "q" { try read(item, now: now, beside: others) }
        for item in items.items where item.name == "q" {
            require(try FilterParser.parse(item.value, now: Moment.microseconds(now)))
        }
    }

    private mutating func read(_ item: QueryItems.Item, now: Date, beside others: [String]) throws {
        if item.name == "since" || item.name == "before" {
            guard let time = Moment.parse(item.value, now: Moment.microseconds(now)) else {
                throw FilterError("\(item.name)=\(item.value): \(Moment.expectation)")
            }
            require(.test(item.name == "since" ? .since(time) : .before(time)))
        } else if let facet = Facet.all.first(where: { $0.name == item.name }) {
            for selector in try FacetSelector.list(item.value, in: facet, label: "\(item.name)=") {
                select(selector, in: facet)
            }
        } else {
            let known = ["q"] + Facet.all.map(\.name) + ["since", "before"] + others
            throw FilterError(
                "\(item.name) is not a key of the \(others.isEmpty ? "filter" : "listing"); the keys are \(known.joined(separator: ", "))"
            )
        }
    }
}
