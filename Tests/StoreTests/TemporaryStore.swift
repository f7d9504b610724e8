import NIOCore
import Store
import Support
import Traffic

/// A directory for one test, removed with its last reference, and the store in it.
final class TemporaryStore: Sendable {
    private let place: TemporaryDirectory
    /// Where the store's file is.
    let path: String

    init() throws {
        place = try TemporaryDirectory()
        path = place.file("captures.db")
    }

    /// The directory, which holds nothing but the store and what belongs to it.
    var directory: String { place.path }

    /// Opens the store, and makes it where that is asked for.
    func open(
        _ access: TrafficStore.Access = .writing,
        bodyLimitBytes: Int64 = 64 << 20,
        classifier: (any ExchangeClassifier)? = nil,
        judge: (any FailureJudge)? = nil,
        makesBlocks: Bool = true,
        clock: TimeSource = TimeSource()
    ) throws -> TrafficStore {
        try TrafficStore(
            path: path,
            access: access,
            bodyLimitBytes: bodyLimitBytes,
            classifier: classifier,
            judge: judge,
            makesBlocks: makesBlocks,
            clock: clock
        )
    }
}

extension TrafficStore {
    /// Hands over events and waits for their commit.
    @discardableResult
    func record(_ events: [ExchangeEvent], late: LateSpell? = nil) async -> CommitReceipt {
        await withCheckedContinuation { continuation in
            submit(CaptureBatch(events: events, late: late) { continuation.resume(returning: $0) })
        }
    }

    /// Records ended exchanges without bodies.
    @discardableResult
    func record(_ exchanges: [Exchange]) async -> CommitReceipt {
        await record(
            exchanges.enumerated().map {
                .ended(CaptureToken($0.offset), $0.element, request: .init(), response: .init())
            }
        )
    }

    /// A whole body, read in pieces of an odd size.
    func wholeBody(_ id: ExchangeID, _ side: MessageSide, step: Int = 100_003) throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let piece = try body(id, side, offset: Int64(all.count), limitBytes: step)
            if piece.isEmpty { return all }
            all += piece
        }
    }
}
