import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct JSONRPCLensTests {
    private func view(_ request: String, _ response: String, code: Int = 200) -> LensView {
        JSONRPCLens().view(
            LensSample.capture("POST", "/rpc", request: Array(request.utf8), code: code, response: Array(response.utf8))
        )
    }

    @Test(
        "Calls are read with method, id and parameters",
        arguments: [
            (#"{"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":1}"#, "subtract #1 with list of 2 numbers"),
            (
                #"{"jsonrpc":"2.0","method":"update","params":{"a":1}}"#,
                "update (a notification) with object with 1 member: a"
            ),
            (#"{"method":"echo","params":["x"],"id":null}"#, "echo (a notification) with list of 1 text"),
            (
                #"[{"jsonrpc":"2.0","method":"a","id":"x"},{"jsonrpc":"2.0","method":"b"}]"#,
                "batch of 2: a #x | b (a notification)"
            ),
            ("[1", "no call that can be read"),
        ]
    )
    func calls(request: String, words: String) { #expect(view(request, "").request == words) }

    @Test(
        "Errors have the meaning of their code, and are failures though the status says success",
        arguments: [
            (-32700, "parse error"), (-32600, "invalid request"), (-32601, "method not found"),
            (-32602, "invalid params"),
            (-32603, "internal error"), (-32050, "server error"),
        ]
    )
    func errors(code: Int, meaning: String) {
        let call = #"{"jsonrpc":"2.0","method":"a","id":1}"#
        let view = view(call, #"{"jsonrpc":"2.0","error":{"code":\#(code),"message":"no"},"id":1}"#)
        #expect(view.response == "200, error \(code) (\(meaning)): no")
        #expect(view.failure == "The answer says 200, but the call failed: \(code) (\(meaning)): no.")
    }

    @Test("In a batch the failed and the unanswered calls are told")
    func batch() {
        let calls =
            #"[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2},{"jsonrpc":"2.0","method":"c","id":3}]"#
        let answers =
            #"[{"jsonrpc":"2.0","result":7,"id":1},{"jsonrpc":"2.0","error":{"code":5,"message":"no"},"id":2}]"#
        let view = view(calls, answers)
        #expect(view.response == "200, result 7 | error 5: no")
        #expect(view.failure == "The answer says 200, but 1 of 2 calls failed, the first with 5: no.")
        #expect(view.sections.contains { $0.title == "Unanswered" })
        #expect(self.view(#"{"method":"a","params":[],"id":1}"#, #"{"result":1,"error":null,"id":1}"#).failure == nil)
    }

    @Test("Of a batch of thousands the first are shown, and the rest is counted")
    func many() {
        func batch(_ message: (Int) -> String) -> String { "[\((0..<3_000).map(message).joined(separator: ","))]" }
        let view = view(
            batch { #"{"jsonrpc":"2.0","method":"a","params":[1],"id":\#($0)}"# },
            batch { #"{"jsonrpc":"2.0","result":[1],"id":\#($0 + 100)}"# }
        )
        #expect(view.request.hasSuffix(" | … 2980 more") && view.response?.hasSuffix(" | … 2980 more") == true)
        #expect(view.sections.count == 1 + 20 + 1 + 1 + 20 + 1, "\(view.sections.map(\.title))")
        guard case .fields(let fields)? = view.sections.first(where: { $0.title == "Unanswered" })?.content else {
            Issue.record("no unanswered calls")
            return
        }
        #expect(fields.first?.value.text.hasSuffix("18, 19, … 80 more") == true)
    }

    @Test(
        "A call of version 1.0 is recognised by its beginning, however long it is",
        arguments: [
            (#"{"method":"a","params":["TEXT"],"id":1}"#, "json-rpc"),
            (#"{"id":1,"method":"a{\"}","params":[{"x":["TEXT"]}]}"#, "json-rpc"),
            (#"{"params":["TEXT"],"method":"a","id":1}"#, "json"),
            (#"{"method":"a","params":{"x":"TEXT"},"id":1}"#, "json"),
            (#"{"method":7,"params":["TEXT"],"id":1}"#, "json"),
            (#"{"method":"a","amount":1,"params":["TEXT"],"id":1}"#, "json"),
            (#"{"steps":{"method":"a","params":["TEXT"],"id":1}}"#, "json"),
        ]
    )
    func long(body: String, lens: String) {
        let text = body.replacing("TEXT", with: String(repeating: "x", count: 10_000))
        let capture = LensSample.capture(
            "POST",
            "/x",
            requestFields: "Content-Type: application/json\r\n",
            request: Array(text.utf8)
        )
        #expect(LensSet.standard.lens(of: capture)?.name == lens)
    }

    @Test(
        "A call is recognised by its body, of either version",
        arguments: [
            (#"{"jsonrpc":"2.0","method":"a"}"#, "json-rpc"), (#"{"method":"a","params":[],"id":1}"#, "json-rpc"),
            (#"{"method":"card","amount":1}"#, "json"), ("x", "json"), (#"{"method":"a","params":[]}"#, "json"),
            (#"{"id":7,"method":"card","params":{"amount":1}}"#, "json"),
            (#"{"id":7,"method":"card","params":[],"amount":1}"#, "json"),
            (#"{"steps":[{"id":1,"method":"GET","params":[]}]}"#, "json"),
        ]
    )
    func recognised(body: String, lens: String) {
        let capture = LensSample.capture(
            "POST",
            "/x",
            requestFields: "Content-Type: application/json\r\n",
            request: Array(body.utf8)
        )
        #expect(LensSet.standard.lens(of: capture)?.name == lens)
    }

    @Test("Answers that come as events are read, those between that are none are left out")
    func events() {
        func view(_ events: String) -> LensView {
            JSONRPCLens().view(
                LensSample.capture(
                    "POST",
                    "/mcp",
                    request: Array(#"{"jsonrpc":"2.0","method":"tools/call","id":1}"#.utf8),
                    fields: "Content-Type: text/event-stream\r\n",
                    response: Array(events.utf8)
                )
            )
        }
        let progress = #"data: {"jsonrpc":"2.0","method":"notifications/progress"}"# + "\r\n\r\n"
        let good = view(
            progress + "event: message\r\ndata: {\"jsonrpc\":\"2.0\",\r\ndata:  \"result\":7,\"id\":1}\r\n\r\n"
        )
        #expect(good.response == "200, result 7" && good.failure == nil)
        // The body is events, none of which it shows as values.
        let object = view("data: {\"jsonrpc\":\"2.0\",\"result\":{\"a\":7},\"id\":1}\n\n")
        #expect(object.sections.first { $0.title == "Result" }?.isInBody == false)
        let bad = view(#"data:{"jsonrpc":"2.0","error":{"code":-32601,"message":"no"},"id":1}"# + "\n\n")
        #expect(bad.failure == "The answer says 200, but the call failed: -32601 (method not found): no.")
    }
}
