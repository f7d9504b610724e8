import Hummingbird
import Store
import Traffic

/// What runs here: version, the proxy's address, its root certificate, and what could not be recorded.
struct InstanceRoutes {
    let store: StoreDoor
    let information: InstanceInformation
    let canReplay: Bool

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/instance") { _, _ in
            let gaps = try await store.read { try $0.gaps() }
            return try WebAnswer.json(Answer(instance: information, recording: canReplay, gaps: gaps.map(Gap.init)))
        }
    }

    /// The answer's shape.
    private struct Answer: Encodable {
        let instance: InstanceInformation
        /// Whether a proxy runs on this store: it records, and it can replay.
        let recording: Bool
        let gaps: [Gap]
    }

    /// Exchanges that passed and are not in the store; times in microseconds since 1970.
    private struct Gap: Encodable {
        let count: Int
        let from: Int64
        let to: Int64
        let cause: String

        init(_ gap: CaptureGap) {
            count = gap.count
            from = gap.from
            to = gap.to
            cause = gap.cause
        }
    }
}
