import ArgumentParser
import Foundation
import Support
import Testing
import Traffic

@testable import inspect

/// Several requests of one client at once: what is answered when, and what is given up.
@Suite(.timeLimit(.minutes(15))) struct MCPSessionTests {
    /// A tool whose calls end when the test says so.
    private struct HeldTool: MCPTool {
        struct Calls: Sendable {
            /// Their names, in the order in which it happened.
            var begun: [String] = []
            var ended: [String] = []
            /// Those that may end.
            var released: Set<String> = []
        }

        var name = "held"
        let summary = "Waits."
        let parameters = [MCPParameter("call", .text, "Its name.", isRequired: true)]
        var calls = Watched(Calls())

        func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
            let name = arguments.text("call") ?? ""
            calls.update { $0.begun.append(name) }
            defer { calls.update { $0.ended.append(name) } }
            _ = try await calls.wait(for: "\(name) to be released", within: .seconds(60)) { $0.released.contains(name) }
            return .object([("call", .string(name))])
        }
    }

    /// What a client sends and is answered.
    private struct Client {
        let tool = HeldTool()
        private let input = Pipe()
        private let answers = Watched<[JSONValue]>([])

        /// The ids of the answers so far.
        var answered: [Int64?] { answers.value.map { $0["id"]?.integer } }

        /// The answer to a request, when it is there.
        func answer(to id: Int64) async throws -> JSONValue {
            let all = try await answers.wait(for: "an answer to \(id)") { $0.contains { $0["id"]?.integer == id } }
            return try #require(all.first { $0["id"]?.integer == id })
        }

        func send(_ lines: String...) throws {
            for line in lines { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }
        }

        /// Calls a tool; the call has the name of its id.
        func call(_ ids: ClosedRange<Int>, of tool: String = "held") throws {
            for id in ids {
                let params = #"{"name":"\#(tool)","arguments":{"call":"\#(id)"}}"#
                try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":\#(params)}"#)
            }
        }

        func cancel(_ id: String) throws {
            try send(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id)}}"#)
        }

        /// All that was sent before is taken note of when it is answered.
        func ping(_ id: Int64) async throws {
            try send(#"{"jsonrpc":"2.0","id":\#(id),"method":"ping"}"#)
            #expect(try await answer(to: id)["result"]?.isObject == true)
        }

        func release(_ ids: Int...) {
            tool.calls.update { calls in for id in ids { calls.released.insert("\(id)") } }
        }

        /// Waits until so many calls have begun.
        @discardableResult
        func begun(_ count: Int) async throws -> [String] {
            try await tool.calls.wait(for: "\(count) calls to begin") { $0.begun.count >= count }.begun
        }

        /// Plays a part while the session runs, ends the input, and plays what comes behind that.
        func session(
            waitingLimit: Int = 64,
            isMasked: Bool = false,
            _ play: (Client) async throws -> Void,
            behind: (Client) -> Void = { _ in }
        ) async throws {
            let directory = try TemporaryDirectory()
            let store = try StoreOptions.parse(["--store", directory.file("none.db")])
            let redactor = isMasked ? SharedRedactor(Redactor { _ in [UInt8](repeating: 0x3F, count: 16) }) : nil
            let context = MCPContext(store: store, redactor: redactor, resultLimitBytes: 4_096)
            let answers = answers
            let tools = [tool, HeldTool(name: ReplayTool.word, calls: tool.calls)]
            let session = MCPSession(MCPServer(context: context, tools: tools), waitingLimit: waitingLimit) { bytes in
                let isLine = bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1
                #expect(isLine, "\(String(decoding: bytes, as: UTF8.self))")
                let answer = try JSONReader.value(bytes)
                answers.update { $0.append(answer) }
            }
            let lines = RPCLines(input.fileHandleForReading.fileDescriptor, limitBytes: 1_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { try? input.fileHandleForWriting.close() }
                group.addTask { try await session.run(lines) }
                try await play(self)
                try input.fileHandleForWriting.close()
                behind(self)
                try await group.waitForAll()
            }
        }
    }

    @Test("A ping is answered while a tool is called, and the call when it is done")
    func ping() async throws {
        try await Client().session { client in
            try client.call(1...1)
            try await client.begun(1)
            try await client.ping(2)
            #expect(client.answered == [2])
            client.release(1)
            let answer = try await client.answer(to: 1)
            let text = answer["result"]?["content"]?.elements?.first?["text"]?.string
            #expect(text?.contains(#""1""#) == true && client.answered == [2, 1], "\(answer)")
        }
    }

    @Test("A call that is cancelled ends and is not answered; another one, which is not meant, is")
    func cancelled() async throws {
        let client = Client()
        try await client.session { client in
            try client.call(1...2)
            try await client.begun(2)
            // A text is no number; nobody asked 9; the last says nothing.
            for id in [#""2""#, "9", "null"] { try client.cancel(id) }
            try client.cancel("1")
            let ended = try await client.tool.calls.wait(for: "a call to end") { !$0.ended.isEmpty }.ended
            #expect(ended == ["1"])
            client.release(1, 2)
            _ = try await client.answer(to: 2)
            try await client.ping(3)
        }
        #expect(client.answered == [2, 3])
    }

    @Test("Four calls run at once; the others wait in their order, but for those that are cancelled meanwhile")
    func order() async throws {
        let client = Client()
        try await client.session { client in
            try client.call(1...8)
            try await client.begun(4)
            try client.cancel("6")
            try await client.ping(10)
            #expect(Set(client.tool.calls.value.begun) == ["1", "2", "3", "4"])
            for (id, next) in [(2, "5"), (5, "7")] {
                let count = client.tool.calls.value.begun.count
                client.release(id)
                let begun = try await client.begun(count + 1)
                #expect(begun.last == next && begun.count == count + 1)
            }
            // One that runs and is given up makes room as well.
            try client.cancel("1")
            #expect(try await client.begun(7).last == "8")
            client.release(3, 4, 7, 8)
            for id: Int64 in [3, 4, 7, 8] { _ = try await client.answer(to: id) }
        }
        #expect(!client.answered.contains(1) && !client.answered.contains(6))
    }

    @Test("Where secrets are masked calls run one at a time, and one that is cancelled while it waits never begins")
    func masked() async throws {
        let client = Client()
        try await client.session(isMasked: true) { client in
            try client.call(1...3)
            try await client.begun(1)
            try await client.tool.calls.stays("one call", for: .milliseconds(300)) { $0.begun == ["1"] }
            try client.cancel("2")
            try await client.ping(10)
            #expect(client.answered == [10])
            client.release(1)
            #expect(try await client.begun(2) == ["1", "3"])
            client.release(3)
            _ = try await client.answer(to: 3)
        }
        #expect(client.answered == [10, 1, 3])
    }

    @Test("Where secrets are masked a replay that waits for its answers holds up the next replay, and no other call")
    func maskedReplay() async throws {
        let client = Client()
        try await client.session(isMasked: true) { client in
            try client.call(1...2, of: ReplayTool.word)
            try await client.begun(1)
            try client.call(3...3)
            #expect(try await client.begun(2) == ["1", "3"])
            client.release(3)
            _ = try await client.answer(to: 3)
            try await client.tool.calls.stays("two calls", for: .milliseconds(300)) { $0.begun == ["1", "3"] }
            client.release(1)
            #expect(try await client.begun(3) == ["1", "3", "2"])
            client.release(2)
            _ = try await client.answer(to: 2)
        }
        #expect(client.answered == [3, 1, 2])
    }

    @Test("Four calls of a kind run at once: replays hold up replays only")
    func kinds() async throws {
        try await Client().session { client in
            try client.call(1...5, of: ReplayTool.word)
            try client.call(6...10)
            try await client.begun(8)
            try await client.ping(11)
            #expect(Set(client.tool.calls.value.begun) == ["1", "2", "3", "4", "6", "7", "8", "9"])
            client.release(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
            for id: Int64 in 1...10 { _ = try await client.answer(to: id) }
        }
    }

    @Test("However many replays run and wait, another call is answered", arguments: [false, true])
    func manyReplays(isMasked: Bool) async throws {
        let client = Client()
        let runningCount = isMasked ? 1 : MCPCalls.mostRunning
        let last = runningCount + 3
        try await client.session(waitingLimit: 2, isMasked: isMasked) { client in
            try client.call(1...last, of: ReplayTool.word)
            let refusal = try await client.answer(to: Int64(last))["error"]
            #expect(refusal?["code"]?.integer == -32_000, "\(client.answered)")
            try client.call(20...20)
            client.release(20)
            #expect(try await client.answer(to: 20)["result"]?.isObject == true)
            for id in 1..<last { client.release(id) }
            for id in 1..<last { _ = try await client.answer(to: Int64(id)) }
        }
        #expect(Array(client.answered.prefix(2)) == [Int64(last), 20])
    }

    @Test("More than may wait are refused, and what runs can still be cancelled")
    func refused() async throws {
        try await Client().session(waitingLimit: 2) { client in
            try client.call(1...7)
            let refusal = try await client.answer(to: 7)["error"]
            #expect(refusal?["code"]?.integer == -32_000, "\(client.answered)")
            try await client.begun(4)
            #expect(client.answered == [7])
            for id in 1...4 { try client.cancel("\(id)") }
            try await client.begun(6)
            client.release(5, 6)
            for id: Int64 in [5, 6] { _ = try await client.answer(to: id) }
        }
    }

    @Test("What was asked before the end of the input is answered behind it, also what waited")
    func end() async throws {
        let client = Client()
        try await client.session { client in
            try client.call(1...6)
            try await client.begun(4)
            try await client.ping(7)
        } behind: {
            $0.release(1, 2, 3, 4, 5, 6)
        }
        #expect(client.answered.first == 7 && Set(client.answered) == [1, 2, 3, 4, 5, 6, 7])
    }

    @Test("A line that is too long is said to be, between the others")
    func tooLong() async throws {
        try await Client().session { client in
            try client.send(String(repeating: " ", count: 2_000) + "x")
            try await client.ping(1)
            #expect(client.answered == [nil, 1])
        }
    }
}
