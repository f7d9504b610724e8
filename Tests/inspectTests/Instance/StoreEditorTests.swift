import Foundation
import NIOCore
import Store
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("Changes beside a running proxy", .timeLimit(.minutes(15)))
struct StoreEditorTests {
    @Test("More exchanges than one address of the page can name are changed all the same")
    func manyNumbers() async throws {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: RunningInspect.store(directory), access: .writing)
        let samples = (1...6_000).map { Sample(UInt64($0), "GET", "/\($0)") }
        let receipt = await withCheckedContinuation { continuation in
            let events = samples.map { ExchangeEvent.ended($0.token, $0.exchange, request: .init(), response: .init()) }
            store.submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
        #expect(receipt.ids.count == 6_000)
        try store.close()
        let inspect = try await RunningInspect.start(in: directory)
        let odd = stride(from: 1, to: 6_000, by: 2).map { "\($0)" }
        func run(_ words: [String]) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(words + ["--store", RunningInspect.store(directory)], in: directory)
        }
        let marked = try await run(["mark", "tag"] + odd + ["odd"])
        #expect(marked.output == "3000 exchanges tagged odd.\n", "\(marked.output)\(marked.errors.suffix(300))")
        let cleared = try await run(["clear", "--yes"] + odd)
        #expect(cleared.output == "Deleted 3000 exchanges.\n", "\(cleared.output)\(cleared.errors.suffix(300))")
        let left = try await run(["stats", "--json"])
        let root = try #require(try JSONSerialization.jsonObject(with: Data(left.outputBytes)) as? [String: Any])
        #expect(root["count"] as? Int == 3_000)
        #expect(try await inspect.process.stop().status == 0)
    }

    @Test("A long query changes what it selects, in whatever script", arguments: ["\u{6F22}", "\u{1F50D}"])
    func longQuery(letter: String) async throws {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: RunningInspect.store(directory), access: .writing)
        let samples = (1...3).map { Sample(UInt64($0), "GET", "/\($0)") }
        let receipt = await withCheckedContinuation { continuation in
            let events = samples.map { ExchangeEvent.ended($0.token, $0.exchange, request: .init(), response: .init()) }
            store.submit(CaptureBatch(events: events) { continuation.resume(returning: $0) })
        }
        #expect(receipt.ids.count == 3)
        try store.close()
        let inspect = try await RunningInspect.start(in: directory)
        let query = "path:/ -path:/1 -path:\"\(String(repeating: letter, count: 7_900))\""
        for (words, said) in [
            (["mark", "tag", "--query", query, "far"], "2 exchanges tagged far.\n"),
            (["clear", "--yes", query], "Deleted 2 exchanges.\n"),
        ] {
            let place = ["--store", RunningInspect.store(directory)]
            let changed = try await RunningInspect.run(words + place, in: directory)
            #expect(changed.output == said, "\(changed.status) \(changed.errors.suffix(300))")
        }
        #expect(try await inspect.process.stop().status == 0)
    }

    @Test("Numbers go into as many addresses as their text needs, also the greatest")
    func parts() throws {
        let long = (0..<1_000).map { Int64.max - 4_000 + 3 * $0 }.map { $0...$0 + 1 }
        let short = (1...1_000).map { Int64($0) * 2 }.map { $0...$0 }
        for (ranges, count) in [(long, 6), (short, 4), ([], 0)] {
            let parts = StoreEditor.parts(of: ranges)
            #expect(parts.flatMap { $0 } == ranges && parts.count == count)
            for part in parts { #expect(!part.isEmpty && SelectorText.numbers(part).queryText.count <= 8_100) }
        }
    }

    @Test("A change that fails in a later part says how many exchanges were changed before")
    func failsLater() async throws {
        struct Refused: Error {}
        let parts = (1...3).map { Filter(.test(.number(.id, [$0...$0]))) }
        #expect(try await StoreEditor.count(parts, "marked") { _ in 2 } == 6)
        let later = await #expect(throws: InputError.self) {
            _ = try await StoreEditor.count(parts, "marked") { part in
                if part == parts[2] { throw InputError("the store is full") }
                return 2
            }
        }
        #expect(later?.description == "the store is full; 4 exchanges were marked before")
        await #expect(throws: Refused.self) {
            _ = try await StoreEditor.count(parts, "marked") { _ in throw Refused() }
        }
    }
}
