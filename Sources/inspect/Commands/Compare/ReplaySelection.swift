import Foundation
import Store
import Traffic

/// What `inspect replay` was asked to send: exchanges by number, or a query.
struct ReplaySelection {
    /// The exchange that is named alone; `nil` for several, a range or a query.
    var single: ExchangeID? { selector.text.single }
    private let selector: Selector

    /// - Throws: `ValidationError` for a number or a range that no exchange can have.
    init(_ terms: [String]) throws { selector = try Selector(terms) }

    /// A plan that sends them once.
    ///
    /// - Parameters:
    ///   - store: where they are.
    ///   - now: what `since:10m` counts back from.
    /// - Returns: the plan.
    /// - Throws: `FilterError` for a query that cannot be read, `InputError` for an exchange that is not there.
    func plan(in store: TrafficStore, now: Date) throws -> ReplayPlan {
        var plan = ReplayPlan()
        switch selector.text {
        case .numbers: plan.ids = try selector.ids(in: store, now: now)
        case .query(let text):
            _ = try store.filter(selector.text, now: now)
            plan.q = try store.expanded(text)
        }
        return plan
    }
}
