import Foundation
import NIOCore
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct MessageCommandTests {
    private static func message(_ number: Int, _ text: String, _ side: MessageSide = .request) -> StreamMessage {
        StreamMessage(
            side: side,
            time: 1_763_647_323_456_789 + Int64(number),
            kind: .webSocket,
            opcode: 1,
            wireBytes: Int64(text.utf8.count),
            size: Int64(text.utf8.count),
            payload: ByteBuffer(string: text)
        )
    }

    /// A store with one WebSocket of so many messages, open or ended.
    private static func store(_ count: Int, isEnded: Bool = true) async throws -> CapturedStore {
        let store = try CapturedStore()
        var sample = Sample(1, scheme: .wss, code: 101, fields: "Upgrade: websocket\r\n")
        sample.exchange.version = .webSocket
        var messages = [message(1, "hé\u{1B}[2J\n"), message(2, String(repeating: "x", count: 1_000), .response)]
        for number in 3..<max(3, count + 1) { messages.append(message(number, "message \(number)")) }
        for message in messages { sample.exchange.messages.add(message.side) }
        try await store.open(sample)
        try await store.submit(messages.map { .message(1, $0) })
        if isEnded { try await store.record(sample) }
        return store
    }

    @Test("show lists the messages, safe for a terminal, and points at the rest", arguments: [true, false])
    func shows(isEnded: Bool) async throws {
        let store = try await Self.store(120, isEnded: isEnded)
        let result = try await store.inspect("show", "1")
        #expect(result.status == 0 && !result.output.contains("\u{1B}"))
        if isEnded { #expect(result.output.contains("Messages  119 sent, 1 received")) }
        #expect(result.output.contains("→  text          8 B  hé\\e[2J\\n"))
        #expect(result.output.contains("←  text"))
        #expect(result.output.contains(String(repeating: "x", count: 200) + "…"))
        #expect(result.output.contains("message 100\n") && !result.output.contains("message 101\n"))
        #expect(result.output.contains("… more messages: inspect show 1 --messages"))
    }

    @Test("show --messages lists all of them whole, and with --json as one object")
    func listsAll() async throws {
        let store = try await Self.store(250)
        let lines = try await store.inspect("show", "1", "--messages").output.split(separator: "\n")
        #expect(lines.count == 250 && lines.last?.hasSuffix("message 250") == true)
        #expect(lines[1].hasSuffix(String(repeating: "x", count: 1_000)))
        let json = try await store.inspect("show", "1", "--messages", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        let messages = try #require(object["messages"] as? [[String: Any]])
        #expect(messages.map { $0["number"] as? Int } == Array(1...250))
        #expect(messages[0]["text"] as? String == "hé\u{1B}[2J\n")
        let both = try await store.inspect("show", "1", "--messages", "--body", "request")
        #expect(both.status == 2 && both.errors.contains("--messages and --body exclude each other"))
    }

    @Test("Every export holds the messages", arguments: ["har", "json", "jsonl"])
    func exports(format: String) async throws {
        let store = try await Self.store(205)
        let result = try await store.inspect("export", "--format", format)
        #expect(result.status == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let exchange: [String: Any]? =
            switch format {
            case "har": ((object["log"] as? [String: Any])?["entries"] as? [[String: Any]])?.first
            case "json": (object["exchanges"] as? [[String: Any]])?.first
            default: object
            }
        let messages = exchange?[format == "har" ? "_webSocketMessages" : "messages"] as? [[String: Any]]
        #expect(messages?.count == 205)
    }
}
