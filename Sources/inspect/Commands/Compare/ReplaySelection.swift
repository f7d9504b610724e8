import Foundation
import Store
import Traffic

/// What `inspect replay` was asked to send: exchanges by number, or a query, narrowed by the filter flags.
struct ReplaySelection {
    /// The exchange that is named alone; `nil` for several, a range or a query.
    var single: ExchangeID? { selector.text.single }
    /// Whether nothing is selected.
    var isEmpty: Bool { selector.isEmpty }
    /// Whether numbers alone say what is selected, so that nothing else can be meant to.
    let isOfNumbers: Bool
    private let selector: Selector

    /// - Throws: `ValidationError` for a number or a range that no exchange can have, and for a number beside other words.
    init(_ terms: [String], flags: FilterFlags) throws {
        selector = try Selector(terms, flags: FlaggedFilter(flags: flags, method: nil))
        try selector.requireUnmixed()
        if case .numbers = selector.text { isOfNumbers = flags.isEmpty } else { isOfNumbers = false }
    }

    /// A plan that sends each selected exchange once.
    ///
    /// - Parameters:
    ///   - store: holds the exchanges.
    ///   - now: what `since:10m` counts back from.
    /// - Returns: the plan.
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for an exchange that does not exist.
    func plan(in store: TrafficStore, now: Date) throws -> ReplayPlan {
        var plan = ReplayPlan()
        switch selector.text {
        case .numbers:
            let ids = try selector.ids(in: store, now: now)
            guard !ids.isEmpty else { throw InputError("the filter flags select none of the exchanges that are named") }
            plan.ids = ids
        case .query: plan.q = try selector.queryText(in: store, now: now)
        }
        return plan
    }
}
