import Foundation
import Lenses
import Store
import Traffic

/// The two sides of a comparison: where their exchanges are, and which.
///
/// Only lines are held; bodies are read pair by pair.
struct DiffSides {
    /// One side.
    struct Side {
        let store: TrafficStore
        /// The exchanges in the order in which they are compared.
        let ids: [ExchangeID]

        /// The kept bytes of the side's bodies.
        var source: ArchiveSource { { try store.body($0, $1, offset: $2, limitBytes: $3) } }
    }

    let left: Side
    let right: Side
    let isPair: Bool
    /// Whether the left side could be sent again.
    let isLeftInStore: Bool
    /// Archives as stores, gone with this value.
    private let archives: [TemporaryArchiveStore]

    /// Opens both sides.
    ///
    /// - Throws: `InputError` for an exchange or an archive that does not exist, and for numbers of the store that would select in an archive too;
    ///   `FilterError` for a query that cannot be read.
    init(_ selection: DiffSelection, store options: StoreOptions, now: Date) throws {
        func side(_ store: TrafficStore, _ selector: Selector) throws -> Side {
            Side(store: store, ids: try store.ids(selector.filter(in: store, now: now)))
        }
        switch selection {
        case .pair(let one, let other):
            let reading = try options.openForReading()
            (left, right) = (Side(store: reading, ids: [one]), Side(store: reading, ids: [other]))
            (isPair, isLeftInStore, archives) = (true, true, [])
        case .sets(let one, let other):
            let reading = try options.openForReading()
            (left, right) = (try side(reading, one), try side(reading, other))
            (isPair, isLeftInStore, archives) = (false, true, [])
        case .archive(let one, let file, let other):
            let reading = try options.openForReading()
            if other == nil, try one.filter(in: reading, now: now).conditions.contains(where: \.asksForNumbers) {
                throw InputError(DiffSelection.numbersOfStore(beside: file))
            }
            let archive = try TemporaryArchiveStore(file, savedIn: options.path)
            (left, right) = (try side(reading, one), try side(archive.store, other ?? one))
            (isPair, isLeftInStore, archives) = (false, true, [archive])
        case .archives(let one, let other, let leftSet, let rightSet):
            archives = try [one, other].map { try TemporaryArchiveStore($0, savedIn: options.path) }
            (left, right) = (try side(archives[0].store, leftSet), try side(archives[1].store, rightSet))
            (isPair, isLeftInStore) = (false, false)
        }
    }

    /// Which exchanges stand in the same place.
    func places(_ noise: DiffNoise) throws -> [ExchangeAlignment.Place] {
        if isPair, let one = left.ids.first, let other = right.ids.first { return [.both(left: one, right: other)] }
        var alignment = ExchangeAlignment(noise: noise)
        try DiffSides.each(left) { alignment.addLeft($0) }
        try DiffSides.each(right) { alignment.addRight($0) }
        return alignment.places()
    }

    private static func each(_ side: Side, _ give: (ExchangeSummary) -> Void) throws {
        var rest = side.ids[...]
        while !rest.isEmpty {
            for row in try side.store.summaries(of: Array(rest.prefix(1_000))) { give(row) }
            rest = rest.dropFirst(1_000)
        }
    }

    /// Compares place by place.
    ///
    /// - Throws: `InputError` when an exchange does not exist any more.
    func compare(
        _ places: [ExchangeAlignment.Place],
        _ diff: CaptureDiff,
        _ learning: NoiseLearning?,
        into report: ComparisonReport
    ) throws {
        for place in places {
            let one = try place.left.map { try ExchangeReader(left.store).record($0) }
            let other = try place.right.map { try ExchangeReader(right.store).record($0) }
            var comparison = Comparison(left: one?.summary, right: other?.summary)
            if let one, let other {
                var diff = diff
                diff.noise = try learning?.noise(for: one.exchange.id) ?? diff.noise
                comparison.learnt = diff.noise.added(to: learning?.diff.noise ?? diff.noise)
                comparison.difference = try diff.compare(one.exchange, left.source, other.exchange, right.source)
                try comparison.putInWords(one, left.source, other, right.source)
            }
            try report.add(comparison)
        }
    }
}
