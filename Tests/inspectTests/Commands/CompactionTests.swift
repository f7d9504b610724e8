import NIOCore
import Store
import Support
import Testing
import Traffic

@testable import ProgramTests

/// A store that is written anew, which takes long where it is large.
@Suite(.timeLimit(.minutes(15))) struct CompactionTests {
    @Test("Compacting that is given up leaves the store as it was, and another time compacts it")
    func givenUp() async throws {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: directory.file("captures.db"), access: .writing, makesBlocks: false)
        let events = (1...300).map { number -> ExchangeEvent in
            let bytes = [UInt8](repeating: 0x61, count: number * 20)
            let sample = Sample(CaptureToken(number), responseBody: bytes)
            return .ended(sample.token, sample.exchange, request: ByteBuffer(), response: ByteBuffer(bytes: bytes))
        }
        let receipt = await withCheckedContinuation { done in
            store.submit(CaptureBatch(events: events) { done.resume(returning: $0) })
        }
        #expect(receipt.isRecorded)
        #expect(try store.clear(FilterParser.parse("id:101..200", now: 0)).deleted == 100)
        await #expect(throws: CancellationError.self) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.cancelAll()
                group.addTask { _ = try store.compact() }
                try await group.waitForAll()
            }
        }
        let left = try store.report(isChecked: true)
        #expect(left.freeBytes > 0 && left.total == 200 && left.check?.isSound == true, "\(left)")
        _ = try store.compact()
        let compacted = try store.report(isChecked: true)
        #expect(compacted.freeBytes == 0 && compacted.total == 200 && compacted.check?.isSound == true, "\(compacted)")
        try store.close()
    }
}
