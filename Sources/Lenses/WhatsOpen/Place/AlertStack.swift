import Foundation

/// The alerts of several answers of one server, each as the newest answer has it.
///
/// Answers are added newest first. An answer has every alert that was shown when it was given, so an older answer adds only others.
struct AlertStack {
    private(set) var alerts: [FoundAlert] = []
    /// The newest answer.
    let source: CampusSource
    private var ids: Set<Int> = []
    /// When the answers were given.
    private var moments: [Date] = []

    init(_ alerts: [CampusAlert], of source: CampusSource) {
        self.source = source
        add(alerts, of: source)
    }

    /// Adds the alerts of an older answer, without those that a newer one has or has no more.
    mutating func add(_ older: [CampusAlert], of source: CampusSource) {
        alerts += older.filter { alert in
            let isKnown = alert.id.map(ids.contains) ?? false
            return !isKnown && !moments.contains { alert.isActive(at: $0) }
        }
        .map { FoundAlert($0, of: source) }
        ids.formUnion(older.compactMap(\.id))
        moments.append(source.moment)
    }
}
