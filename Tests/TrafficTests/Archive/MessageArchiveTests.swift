import Archive
import Foundation
import NIOCore
import Testing
import Traffic

@Suite("Messages in JSON and HAR", .timeLimit(.minutes(15)))
struct MessageArchiveTests {
    private static let start: Int64 = 1_763_647_323_456_789

    private static func message(
        _ kind: StreamMessage.Kind,
        _ opcode: UInt8,
        _ payload: [UInt8],
        _ side: MessageSide = .request,
        size: Int64? = nil
    ) -> StreamMessage {
        StreamMessage(
            side: side,
            time: start + 1_500,
            kind: kind,
            opcode: opcode,
            wireBytes: Int64(payload.count),
            size: size ?? Int64(payload.count),
            payload: ByteBuffer(bytes: payload)
        )
    }

    /// An exchange whose stream has these messages, and its source of pages of two.
    private static func sample(_ messages: [StreamMessage], isWebSocket: Bool) -> (ExchangeRecord, MessageSource) {
        var sample = SampleExchange(
            scheme: isWebSocket ? .wss : .https,
            response: isWebSocket ? "HTTP/1.1 101 Switching Protocols\n\n" : "HTTP/1.1 200 OK\n\n",
            code: isWebSocket ? 101 : 200
        )
        if isWebSocket {
            sample.exchange.version = .webSocket
            sample.exchange.request.body = Body(length: 90, kept: 0, sha256: Array(repeating: 1, count: 32))
            sample.exchange.response?.body = Body(length: 91, kept: 0, sha256: Array(repeating: 1, count: 32))
        }
        var numbered = messages
        for index in numbered.indices {
            numbered[index].number = Int64(index) + 1
            sample.exchange.messages.add(numbered[index].side)
        }
        let all = numbered
        return (sample.record, { id, after in id == 1 ? Array(all.filter { $0.number > after }.prefix(2)) : [] })
    }

    private static func entry(_ messages: [StreamMessage], isWebSocket: Bool) throws -> [String: Any] {
        let (record, source) = sample(messages, isWebSocket: isWebSocket)
        var file: [UInt8] = []
        var rest = [record][...]
        try HAR.write(
            creatorVersion: "1",
            scope: .ended,
            source: { _, _, _, _ in [] },
            messages: source,
            next: { rest.popFirst() },
            to: { file += $0 }
        )
        let root = try #require(try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any])
        return try #require(((root["log"] as? [String: Any])?["entries"] as? [[String: Any]])?.first)
    }

    @Test("A WebSocket in HAR has Chrome's messages, binary ones as base64, and how it was closed")
    func har() throws {
        var close = Self.message(.webSocket, 8, [0x03, 0xE8] + Array("bye".utf8), .response)
        close.status = 1_000
        let entry = try Self.entry(
            [
                Self.message(.webSocket, 1, Array("héllo".utf8)), Self.message(.webSocket, 2, [0xFF, 0x00], .response),
                Self.message(.webSocket, 9, []), Self.message(.webSocket, 1, [0xFF], .response, size: 7), close,
            ],
            isWebSocket: true
        )
        #expect(entry["_resourceType"] as? String == "websocket")
        let messages = try #require(entry["_webSocketMessages"] as? [[String: Any]])
        #expect(messages.map { $0["type"] as? String } == ["send", "receive", "send", "receive", "receive"])
        #expect(messages.map { $0["opcode"] as? Int } == [1, 2, 9, 1, 8])
        #expect(messages.map { $0["data"] as? String } == ["héllo", "/wA=", "", "/w==", "A+hieWU="])
        #expect(messages.allSatisfy { $0["time"] as? Double == 1_763_647_323.458289 })
        #expect(messages[3]["_encoding"] as? String == "base64" && messages[3]["_size"] as? Int == 7)
        let closed = try #require(entry["_webSocketClose"] as? [String: Any])
        #expect(closed["code"] as? Int == 1_000 && closed["reason"] as? String == "bye")
        let request = try #require(entry["request"] as? [String: Any])
        #expect((request["url"] as? String)?.hasPrefix("wss://") == true && request["postData"] == nil)
        let response = try #require(entry["response"] as? [String: Any])
        #expect(response["status"] as? Int == 101 && response["bodySize"] as? Int == 91)
        #expect((response["content"] as? [String: Any])?["size"] as? Int == 0)
    }

    @Test("Events and gRPC messages in HAR stand under names of their own; an exchange without messages has none")
    func otherStreams() throws {
        var event = Self.message(.event, 0, Array("{\"a\":1}".utf8), .response)
        (event.eventName, event.eventID) = ("add", "9")
        let events = try Self.entry([event], isWebSocket: false)
        #expect(events["_resourceType"] as? String == "eventsource")
        let told = try #require((events["_eventSourceMessages"] as? [[String: Any]])?.first)
        #expect(told["eventName"] as? String == "add" && told["eventId"] as? String == "9")
        #expect(told["data"] as? String == "{\"a\":1}" && told["time"] as? Double == 1_763_647_323.458289)

        var trailers = Self.message(.grpc, 0x80, Array("grpc-status: 3\r\n".utf8), .response)
        trailers.status = 3
        let grpc = try Self.entry([Self.message(.grpc, 0, [8, 1]), trailers], isWebSocket: false)
        let messages = try #require(grpc["_grpcMessages"] as? [[String: Any]])
        #expect(messages[0]["data"] as? String == "CAE=" && messages[0]["encoding"] as? String == "base64")
        #expect(messages[1]["status"] as? Int == 3 && messages[1]["data"] as? String == "grpc-status: 3\r\n")

        let none = try Self.entry([], isWebSocket: false)
        #expect(none.keys.allSatisfy { !$0.contains("essages") } && none["_resourceType"] == nil)
    }

    @Test("An exchange's JSON holds every message, page after page, and the counts")
    func json() throws {
        let (record, source) = Self.sample(
            [
                Self.message(.webSocket, 1, Array("a\u{1}".utf8)), Self.message(.webSocket, 2, [1], .response),
                Self.message(.webSocket, 1, Array("cut é".utf8.dropLast()), .response, size: 100),
                Self.message(.webSocket, 1, [0xC3], .response),
            ],
            isWebSocket: true
        )
        var json = JSONWriter()
        var bytes: [UInt8] = []
        try ExchangeJSON(record, remedyWords: nil).write(to: &json, source: { _, _, _, _ in [] }, messages: source) {
            bytes += $0.take()
        }
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes + json.take())) as? [String: Any])
        #expect(object["messageCounts"] as? [String: Int] == ["request": 1, "response": 3])
        #expect(object["protocol"] as? String == "WebSocket" && object["code"] as? Int == 101)
        let messages = try #require(object["messages"] as? [[String: Any]])
        #expect(messages.map { $0["number"] as? Int } == [1, 2, 3, 4])
        #expect(messages.map { $0["text"] as? String } == ["a\u{1}", nil, "cut ", nil])
        #expect(messages.map { $0["base64"] as? String } == [nil, "AQ==", nil, "ww=="])
        #expect(messages.map { $0["truncated"] as? Bool } == [false, false, true, false])
        #expect(messages[0]["afterMs"] as? Double == 1.5 && messages[0]["label"] as? String == "text")
        let body = try #require((object["response"] as? [String: Any])?["body"] as? [String: Any])
        #expect(body["size"] as? Int == 91 && body["truncated"] as? Bool == false && body["problem"] == nil)
    }
}
