import Foundation
import Hummingbird
import Lenses
import Store
import Traffic

/// What differs between two exchanges, or between two sets of them: what `inspect diff --json` prints.
struct DiffRoutes {
    /// Comparisons that an answer tells: without a `limit` in the address, and at most; all are counted.
    private static let toldDefault: Int64 = 100
    private static let toldLimit: Int64 = 1_000
    /// Replays that noise is learnt from, at most.
    private static let learntLimit = 100
    private static let keys = ["left", "right", "ignore", "no-default-ignore", "learn", "limit", "same"]

    let store: StoreDoor

    /// The exchanges that are compared.
    private struct Sides: Sendable {
        var left: [ExchangeID]
        var right: [ExchangeID]
        var isPair = false
    }

    /// Adds the API's address, and the twin of the page's comparison.
    func add(to router: Router<WebContext>) {
        for address in ["/api/v1/diff", "/compare.json"] {
            router.get(RouterPath(address)) { request, context in try await diff(request, context) }
        }
    }

    private func diff(_ request: Request, _ context: WebContext) async throws -> Response {
        let items = QueryItems(request.uri.query ?? "").removing("token")
        if let other = items.items.first(where: { !Self.keys.contains($0.name) }) {
            throw FilterError("\(other.name) is not a key here; the keys are \(Self.keys.joined(separator: ", "))")
        }
        guard let left = items.first("left"), let right = items.first("right") else {
            throw WebFailure(.badRequest, "Name left and right: two exchanges by number, or two queries.")
        }
        let (leftSelector, rightSelector) = (try SelectorText(left), try SelectorText(right))
        let limit = try items.whole("limit", in: 0...Self.toldLimit) ?? Self.toldDefault
        let tellsSame = try items.boolean("same", unless: false)
        let noise: DiffNoise
        do {
            noise = try DiffNoise(
                declared: items.items.filter { $0.name == "ignore" }.map(\.value),
                usesStandard: try !items.boolean("no-default-ignore", unless: false)
            )
        } catch let error as FilterError {
            throw error
        } catch {
            throw WebFailure(.badRequest, "ignore: \(error)")
        }
        let learn = items.first("learn")
        let now = store.now
        return try await store.answer(to: Asker(request, context)) { store in
            let sides = try Self.sides(leftSelector, rightSelector, in: store, now: now)
            let known = try learn.map { try Self.noise(noise, taughtBy: $0, of: sides, in: store) } ?? noise
            let diff = CaptureDiff(noise: known, scope: sides.isPair ? .pair : .sets)
            return try Self.compare(sides, diff, learnt: known.added(to: noise), told: Int(limit), tellsSame, in: store)
        } as: {
            WebAnswer.json(bytes: $0)
        }
    }

    private static func sides(
        _ left: SelectorText,
        _ right: SelectorText,
        in store: TrafficStore,
        now: Date
    ) throws -> Sides {
        Sides(
            left: try store.ids(naming: left, now: now),
            right: try store.ids(naming: right, now: now),
            isPair: left.single != nil && right.single != nil
        )
    }

    /// The known noise, and what differs between two or more replays of the left exchange; `text` lists them with commas.
    private static func noise(_ noise: DiffNoise, taughtBy text: String, of sides: Sides, in store: TrafficStore) throws
        -> DiffNoise
    {
        let parts = text.split(separator: ",")
        guard parts.count <= learntLimit else {
            throw WebFailure(.badRequest, "learn names \(parts.count) replays; \(learntLimit) are compared at most.")
        }
        let replays = try parts.map { part in
            guard let id = ExchangeID(part), let record = try store.record(id) else {
                throw WebFailure(.badRequest, "learn=\(text): expected replays of the left exchange, as in 40,41.")
            }
            guard sides.isPair, record.exchange.replayOf == sides.left.first else {
                let left = sides.left.first ?? 0
                throw WebFailure(.badRequest, "learn=\(text): exchange \(id) is no replay of exchange \(left).")
            }
            return record.exchange
        }
        guard replays.count >= 2 else {
            throw WebFailure(
                .badRequest,
                "learn=\(text): expected two or more replays of the left exchange, as in 40,41."
            )
        }
        let diff = CaptureDiff(noise: noise, scope: .replay)
        var known = noise
        for other in replays.dropFirst() {
            try Task.checkCancellation()
            known.learn(from: try diff.compare(replays[0], store.body, other, store.body))
        }
        return known
    }

    private static func compare(
        _ sides: Sides,
        _ diff: CaptureDiff,
        learnt: [String],
        told limit: Int,
        _ tellsSame: Bool,
        in store: TrafficStore
    ) throws -> [UInt8] {
        var places: [ExchangeAlignment.Place] = []
        if sides.isPair, let one = sides.left.first, let other = sides.right.first {
            places = [.both(left: one, right: other)]
        } else {
            var alignment = ExchangeAlignment(noise: diff.noise)
            try store.eachSummary(of: sides.left) { alignment.addLeft($0) }
            try store.eachSummary(of: sides.right) { alignment.addRight($0) }
            places = alignment.places()
        }
        var summary = ComparisonSummary()
        var told = 0
        var json = JSONWriter()
        try json.object { json in
            try json.array("comparisons") { json in
                for place in places {
                    try Task.checkCancellation()
                    let left = try place.left.flatMap { try store.record($0) }
                    let right = try place.right.flatMap { try store.record($0) }
                    var comparison = try Comparison(left, right, by: diff, source: store.body)
                    comparison.learnt = learnt
                    summary.add(comparison)
                    guard told < limit, tellsSame || sides.isPair || comparison.verdict != .same else { continue }
                    comparison.write(to: &json)
                    told += 1
                }
            }
            summary.write(to: &json)
        }
        json.newline()
        return json.take()
    }
}
