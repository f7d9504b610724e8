import ArgumentParser
import Support
import Testing
import Traffic

@testable import inspect

/// What the server answers to what a client sends, right and wrong, without a store.
@Suite(.timeLimit(.minutes(15))) struct MCPServerTests {
    private func answer(_ line: String) async throws -> JSONValue? {
        let directory = try TemporaryDirectory()
        let store = try StoreOptions.parse(["--store", directory.file("none.db")])
        let server = MCPServer(
            context: MCPContext(store: store, redactor: nil, resultLimitBytes: 4_096),
            tools: [FilterTool(), ReplayTool()]
        )
        return await server.answer(RPCMessage(Array(line.utf8)))
    }

    @Test(
        "What is no request gets the error of JSON-RPC that fits, with its id where it has one",
        arguments: [
            ("{", -32_700, nil), ("[1]", -32_600, nil), ("[]", -32_600, nil), ("1", -32_600, nil),
            (#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32_600, 7), (#"{"jsonrpc":"2.0","id":7}"#, -32_600, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":5}"#, -32_600, 7),
            (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, nil),
            (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, nil),
            (#"{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}"#, -32_602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"resources/list"}"#, -32_601, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"initialize"}"#, -32_602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}"#, -32_602, 7),
            (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"rm"}}"#, -32_602, 7),
        ]
    )
    func wrong(_ line: String, _ code: Int64, _ id: Int64?) async throws {
        let answer = try #require(try await answer(line))
        #expect(answer["error"]?["code"]?.integer == code && answer["id"]?.integer == id, "\(answer)")
        #expect(answer["id"] != nil && answer["jsonrpc"]?.string == "2.0" && answer["result"] == nil)
    }

    @Test(
        "Notifications and answers are not answered",
        arguments: [
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, #"{"jsonrpc":"2.0","method":"nothing"}"#,
            #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"x"}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#,
            #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}"#,
        ]
    )
    func silent(_ line: String) async throws { #expect(try await answer(line) == nil) }

    @Test(
        "A handshake gets the revision that it asks for, or the newest of those with a handshake",
        arguments: [
            ("2024-11-05", "2024-11-05"), ("2025-11-25", "2025-11-25"), ("1999-01-01", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
        ]
    )
    func handshake(_ wanted: String, _ spoken: String) async throws {
        let line =
            #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(wanted)","capabilities":{}}}"#
        let answer = try #require(try await answer(line))
        #expect(answer["id"]?.string == "a" && answer["result"]?["protocolVersion"]?.string == spoken)
        #expect(
            answer["result"]?["serverInfo"]?["name"]?.string == "inspect"
                && answer["result"]?["capabilities"]?["tools"] != nil
        )
    }

    private static func stateless(_ method: String, _ meta: String) -> String {
        #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"_meta":{\#(meta)}}}"#
    }
    private static let revision = #""io.modelcontextprotocol/protocolVersion":"2026-07-28""#
    private static let whole = revision + #","io.modelcontextprotocol/clientCapabilities":{}"#

    @Test(
        "A request that names its revision is answered as that one asks, and one of another revision is told which there are"
    )
    func withoutHandshake() async throws {
        let list = try #require(try await answer(Self.stateless("tools/list", Self.whole)))["result"]
        #expect(
            list?["resultType"]?.string == "complete" && list?["ttlMs"]?.integer == 3_600_000
                && list?["cacheScope"]?.string == "private"
        )
        #expect(list?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"]?.string == "inspect")
        let plain = try #require(try await answer(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))["result"]
        #expect(plain?["resultType"] == nil && plain?["tools"]?.elements?.count == 2)
        let discovered = try #require(try await answer(#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#))[
            "result"
        ]
        #expect(discovered?["supportedVersions"]?.elements?.compactMap(\.string) == ["2026-07-28"])
        let other = Self.whole.replacing("2026-07-28", with: "2030-01-01")
        let unknown = try #require(try await answer(Self.stateless("tools/list", other)))["error"]
        #expect(unknown?["code"]?.integer == -32_022 && unknown?["data"]?["requested"]?.string == "2030-01-01")
        #expect(unknown?["data"]?["supported"]?.elements?.compactMap(\.string) == ["2026-07-28"])
        let half = try #require(try await answer(Self.stateless("tools/list", Self.revision)))["error"]
        #expect(half?["code"]?.integer == -32_602 && half?["message"]?.string?.contains("clientCapabilities") == true)
        // The revision has no ping any more; those with a handshake have one.
        #expect(try await answer(Self.stateless("ping", Self.whole))?["error"]?["code"]?.integer == -32_601)
        #expect(try await answer(#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)?["result"]?.isObject == true)
    }

    @Test("Every tool and the server say that what is captured is data; replays are no tool unless allowed")
    func cautions() async throws {
        let list = try #require(try await answer(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#))["result"]
        let tools = try #require(list?["tools"]?.elements)
        #expect(tools.count == 2)
        for tool in tools {
            #expect(tool["description"]?.string?.contains("never instructions") == true, "\(tool)")
        }
        let discovered = try #require(try await answer(#"{"jsonrpc":"2.0","id":1,"method":"server/discover"}"#))
        #expect(discovered["result"]?["instructions"]?.string?.contains("never instructions") == true)
        let call =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"replay","arguments":{"query":"id:1"}}}"#
        let directory = try TemporaryDirectory()
        let store = try StoreOptions.parse(["--store", directory.file("none.db")])
        let context = MCPContext(store: store, redactor: nil, resultLimitBytes: 4_096)
        let refused = await MCPServer(context: context, tools: [FilterTool()]).answer(RPCMessage(Array(call.utf8)))
        #expect(refused?["error"]?["message"]?.string?.contains("--allow-replay") == true)
    }

    @Test("What a tool cannot do is its result, with what to do instead")
    func complaint() async throws {
        let line = #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"filter","arguments":{}}}"#
        let result = try #require(try await answer(line))["result"]
        #expect(result?["isError"]?.boolean == true)
        #expect(result?["content"]?.elements?.first?["text"]?.string?.contains("none.db") == true)
    }

    @Test(
        "The pieces of a body are whole characters, and together they are the body",
        arguments: [1, 2, 3, 4, 5, 7, 100]
    )
    func pieces(_ limit: Int) {
        let texts = ["", "plain", "Käse für 3 € 🧀 und mehr", "€€€€", "🧀🧀"]
        for text in texts {
            let bytes = Array(text.utf8)
            var whole = ""
            var offset = 0
            repeat {
                let piece = ShowTool.piece(of: bytes, from: offset, limit, .utf8)
                #expect(piece.lowerBound == offset && piece.count <= max(4, limit))
                whole += String(validating: bytes[piece], as: UTF8.self) ?? "(no text)"
                guard piece.upperBound > offset else { break }
                offset = piece.upperBound
            } while offset < bytes.count
            #expect(whole == text)
            // In the middle of a character it begins with the next.
            for start in 0...bytes.count {
                let piece = ShowTool.piece(of: bytes, from: start, limit, .utf8)
                #expect(String(validating: bytes[piece], as: UTF8.self) != nil, "\(text) from \(start)")
            }
        }
        #expect(ShowTool.piece(of: Array("a\0b\0".utf8), from: 1, 2, .utf16LE) == 2..<2)
        #expect(ShowTool.piece(of: Array("abc".utf8), from: 9, 2, .windows1252) == 3..<3)
        #expect(ShowTool.piece(of: [0x93, 0xFA, 0x96, 0x7B, 0x41], from: 1, 2, .shiftJIS) == 2..<4)
    }

    @Test(
        "Long texts are cut before lists, lists before everything, and what was cut is said",
        arguments: [400, 2_000, 20_000]
    )
    func fit(_ limit: Int) throws {
        let rows = (0..<300).map {
            JSONValue.object([("n", .number(Double($0))), ("text", .string(String(repeating: "ä", count: 90)))])
        }
        let value = JSONValue.object([
            ("rows", .array(rows)), ("long", .string(String(repeating: "x", count: 100_000))),
        ])
        let fitted = ResultFit(limitBytes: limit).fitted(value)
        var json = JSONWriter()
        json.value(nil, fitted)
        #expect(json.bytes.count <= limit && fitted["cutForLength"] != nil)
        #expect(try JSONReader.value(json.bytes).isObject)
        let small = JSONValue.object([("a", .string("b"))])
        #expect(
            ResultFit(limitBytes: limit).fitted(small)["a"]?.string == "b"
                && ResultFit(limitBytes: limit).fitted(small)["cutForLength"] == nil
        )
    }
}
