@testable import Lenses
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct GraphQLLensTests {
    @Test(
        "Operations are read with their kind, name and outermost fields",
        arguments: [
            ("{ me { name } }", "query", nil, ["me"]),
            (
                "query Hall($id: ID! = {a: 1}, $n: [Int!]) @cached(ttl: 3) { hall(id: $id) { name } alerts }", "query",
                "Hall", ["hall", "alerts"]
            ),
            (
                "mutation M { one: addHall(input: {name: \"a { b\"}) { id } two: drop }", "mutation", "M",
                ["addHall", "drop"]
            ),
            ("subscription { ticks }", "subscription", nil, ["ticks"]),
            (
                "# a } comment\nquery Q { ...F ... on Hall { name } x @skip(if: true) { y } }\nfragment F on Hall { z }",
                "query", "Q", ["...F", "...Hall", "x"]
            ),
            ("query Q { a(text: \"\"\"block \" } \"\"\") }", "query", "Q", ["a"]),
        ] as [(String, String, String?, [String])]
    )
    func documents(text: String, kind: String, name: String?, fields: [String]) throws {
        let operation = try #require(GraphQLDocument(text).operations.first)
        #expect(operation.kind == kind && operation.name == name && operation.fields == fields)
        #expect(GraphQLDocument.begins(text))
    }

    @Test("Many combining marks in a body take the store no time that grows with their square")
    func marks() {
        func time(_ count: Int) -> Double {
            let marks = String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
            let body = BodyText(Array("{\"query\": \"\(marks)\", \"\(marks)\": 1}".utf8))
            return ThreadTime.of {
                for (name, _) in body.members?.members ?? [] { _ = Set([name]) }
                for text in body.texts(of: BodyMark(member: "query")) { _ = GraphQLDocument.begins(text) }
            }
        }
        _ = time(10)
        #expect(time(8_000) < time(1_000) * 40 + 20_000_000)
    }

    @Test(
        "What is broken is read as far as it goes",
        arguments: ["", "query", "query Q", "{", "{ a(", "query Q { a ", "\"", "}}}", "mutation ((", "{ ... "]
    )
    func broken(text: String) {
        #expect(GraphQLDocument(text).operations.count <= 1)
    }

    @Test(
        "An operation is recognised by its path, its type, its query or its body, and plain JSON is not",
        arguments: [
            ("POST", "/graphql", "application/json", "{}", "graphql"),
            ("POST", "/api", "application/graphql", "{ a }", "graphql"),
            ("POST", "/api", "application/json", #"{"query":"query Q { a }"}"#, "graphql"),
            ("POST", "/api", "application/json", #"[{"query":"{\n a }"}]"#, "graphql"),
            ("POST", "/api", "application/json", #"{"query":"\n  mutation {\n a }","variables":{}}"#, "graphql"),
            ("POST", "/api", "application/json", #"{"query":"halls open now"}"#, "json"),
            ("POST", "/api", "application/json", ##"{"query":"#swift"}"##, "json"),
            ("POST", "/api", "application/json", ##"{"query":"# all\n# halls\nquery { a }"}"##, "graphql"),
            ("POST", "/api", "application/json", #"{"query":{"recordType":"X"}}"#, "json"),
            ("GET", "/api?query=%7Bme%7D", "application/json", "", "graphql"),
            ("GET", "/api?query=mutation+M+%7Ba%7D", "application/json", "", "graphql"),
            ("GET", "/api?query=queries", "application/json", "", "json"),
            ("GET", "/entrypoint.php?query&type=-1", "application/json", "", "meetings"),
            ("GET", "/whatsopen/v2/facilities/?query=%7Bme%7D", "application/json", "", "whatsopen"),
        ]
    )
    func recognised(method: String, target: String, type: String, body: String, lens: String) {
        let capture = LensSample.capture(
            method,
            target,
            requestFields: "Content-Type: \(type)\r\n",
            request: Array(body.utf8)
        )
        #expect(LensSet.standard.lens(of: capture)?.name == lens)
    }

    @Test("Errors are shown with their path; a 200 with errors is a failure")
    func errors() {
        let request = #"{"query":"query Q($a: Int) { hall(id: $a) { name } }","operationName":"Q","variables":{"a":1}}"#
        let response =
            #"{"data":{"hall":null},"errors":[{"message":"not found","path":["hall",0,"name"],"extensions":{"code":"NOPE"}}]}"#
        let view = GraphQLLens().view(
            LensSample.capture("POST", "/graphql", request: Array(request.utf8), response: Array(response.utf8))
        )
        #expect(view.request == "query Q: hall" && view.response == "200, object with 1 member: hall, 1 error")
        #expect(view.failure == "The answer says 200, but has 1 error: not found.")
        #expect(view.sections.map(\.title) == ["Operation", "Variables", "Document", "Errors", "Data"])
        guard case .table(let table)? = view.sections.first(where: { $0.title == "Errors" })?.content else {
            Issue.record("no table of errors")
            return
        }
        #expect(table.rows.map { $0.map(\.text) } == [["hall.0.name", "not found", "NOPE"]])
    }

    @Test(
        "Errors that are an object are one error, and an empty one is none",
        arguments: [
            (#"{"errors":{"message":"not found"}}"#, "The answer says 200, but has 1 error: not found."),
            (#"{"payload":{"errors":{"message":"late"}}}"#, "The answer says 200, but has 1 error: late."),
            (#"{"data":{},"errors":{}}"#, nil),
        ] as [(String, String?)]
    )
    func errorObjects(response: String, failure: String?) {
        let capture = LensSample.capture(
            "POST",
            "/graphql",
            request: Array(#"{"query":"{ a }"}"#.utf8),
            response: Array(response.utf8)
        )
        #expect(GraphQLLens().view(capture).failure == failure)
    }

    @Test("Batches, persisted documents and GETs are read")
    func forms() {
        let batch = #"[{"query":"{ a }"},{"query":"mutation M { b }"}]"#
        let both = LensSample.capture(
            "POST",
            "/graphql",
            request: Array(batch.utf8),
            response: Array(#"[{"data":{"a":1}},{"data":null}]"#.utf8)
        )
        #expect(GraphQLLens().view(both).request == "batch of 2: query: a | mutation M: b")
        let digest = #"{"operationName":"Q","extensions":{"persistedQuery":{"version":1,"sha256Hash":"ab12"}}}"#
        let persisted = LensSample.capture("POST", "/graphql", request: Array(digest.utf8), response: [])
        #expect(GraphQLLens().view(persisted).request == "persisted operation Q")
        let get = LensSample.capture(
            "GET",
            "/graphql?query=query%20A%7Ba%7D%20query%20B%7Bb%7D&operationName=B&variables=%7B%22x%22%3A1%7D"
        )
        #expect(GraphQLLens().view(get).request == "query B: b")
        #expect(GraphQLLens().view(LensSample.capture("GET", "/graphql")).request == "no operation that can be read")
        let upload =
            "--X\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n{\"query\":\"mutation M { add }\"}\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a\"\r\n\r\nbytes\r\n--X--\r\n"
        let files = LensSample.capture(
            "POST",
            "/graphql",
            requestFields: "Content-Type: multipart/form-data; boundary=X\r\n",
            request: Array(upload.utf8)
        )
        #expect(GraphQLLens().view(files).request == "mutation M: add")
    }

    @Test(
        "A page is no failed answer to whom asked for one, and is one to whom asked for data",
        arguments: [
            ("/graphql", "text/html,*/*", false), ("/docs/graphql", "*/*", false),
            ("/graphql?query=%7Ba%7D", "text/html,*/*", false), ("/graphql?query=%7Ba%7D", "application/json", true),
        ]
    )
    func pages(target: String, accept: String, isFailure: Bool) {
        let capture = LensSample.capture(
            "GET",
            target,
            requestFields: "Accept: \(accept)\r\n",
            fields: "Content-Type: text/html\r\n",
            response: Array("<html></html>".utf8)
        )
        #expect((GraphQLLens().view(capture).failure != nil) == isFailure)
    }

    @Test(
        "A page in answer to a call in a body is a failure, whatever else the client takes",
        arguments: [
            ("application/x-www-form-urlencoded", "query=%7Ba%7D&variables=%7B%22x%22%3A1%7D", "*/*"),
            ("application/json", #"{"query":"{a}"}"#, "text/html,*/*"),
            ("application/json", #"{"query":"{a}"}"#, "application/json, text/html"),
        ]
    )
    func pagesForCalls(type: String, body: String, accept: String) {
        let capture = LensSample.capture(
            "POST",
            "/graphql",
            requestFields: "Content-Type: \(type)\r\nAccept: \(accept)\r\n",
            request: Array(body.utf8),
            fields: "Content-Type: text/html\r\n",
            response: Array("<html></html>".utf8)
        )
        let view = GraphQLLens().view(capture)
        #expect(view.request == "query: a" && view.failure == "The answer says 200, but it is no JSON.")
        #expect(view.sections.contains { $0.title == "Variables" } == body.contains("variables"))
        let asked = LensSample.capture(
            "GET",
            "/graphql?query=%7Ba%7D",
            requestFields: "Accept: text/html;q=0.5, application/json\r\n",
            fields: "Content-Type: text/html\r\n",
            response: Array("<html></html>".utf8)
        )
        #expect(GraphQLLens().view(asked).failure != nil)
    }

    @Test("Of a batch of thousands the first are shown, and the rest is counted")
    func many() {
        let batch = Array(repeating: #"{"query":"{ a }","variables":{"x":1}}"#, count: 3_000).joined(separator: ",")
        let results = Array(repeating: #"{"data":{"a":1}}"#, count: 3_000).joined(separator: ",")
        let view = GraphQLLens().view(
            LensSample.capture(
                "POST",
                "/graphql",
                request: Array("[\(batch)]".utf8),
                response: Array("[\(results)]".utf8)
            )
        )
        #expect(view.request.hasPrefix("batch of 3000: query: a | ") && view.request.hasSuffix(" | … 2980 more"))
        #expect(view.sections.count == 20 * 4 + 2)
        let more = view.sections.filter { $0.title == "And more" }.map(\.content)
        #expect(more == [.text("2980 more operations"), .text("2980 more results")])
    }

    @Test("A result of many lists in lists is shown as far as a tree may have lines")
    func wide() {
        func count(_ nodes: [LensNode]) -> Int { nodes.reduce(0) { $0 + 1 + count($1.children) } }
        var value = JSONValue.number(1)
        for _ in 0..<3 { value = .object((0..<30).map { (name: "m\($0)", value: value) }) }
        let lines = count(JSONShape.nodes(value))
        #expect(lines > 1_000 && lines < 6_000, "\(lines)")
    }

    @Test("A result that comes in parts or as events is read part by part")
    func several() {
        func view(_ type: String, _ body: String) -> LensView {
            GraphQLLens().view(
                LensSample.capture(
                    "POST",
                    "/graphql",
                    request: Array(#"{"query":"{ a ... @defer { b } }"}"#.utf8),
                    fields: "Content-Type: \(type)\r\n",
                    response: Array(body.utf8)
                )
            )
        }
        let part = { (json: String) in "\r\n---\r\nContent-Type: application/json\r\n\r\n\(json)" }
        let deferred = view(
            "multipart/mixed; boundary=\"-\"",
            part(#"{"data":{"a":1},"hasNext":true}"#)
                + part(#"{"incremental":[{"data":{"b":2},"path":[]}],"hasNext":false}"#)
                + "\r\n-----\r\n"
        )
        #expect(deferred.response == "200, object with 1 member: a | 1 later part" && deferred.failure == nil)
        let failed =
            part(#"{"data":{}}"#) + part(#"{"incremental":[{"errors":[{"message":"late"}]}]}"#) + "\r\n-----\r\n"
        #expect(view("multipart/mixed; boundary=-", failed).failure == "The answer says 200, but has 1 error: late.")
        let events = "event: next\ndata: {\"data\":{\"a\":1}}\n\n: still here\n\nevent: complete\n\n"
        let subscription = view("text/event-stream", events)
        #expect(subscription.response == "200, object with 1 member: a" && subscription.failure == nil)
        let late = "data: {\"errors\":null,\"payload\":{\"errors\":[{\"message\":\"late\"}]}}\n\n"
        #expect(view("text/event-stream", late).failure == "The answer says 200, but has 1 error: late.")
    }

    @Test("Variables and data are in a body only where its JSON has them as they are shown")
    func bodies() {
        let call = #"{"query":"query Q { a }","variables":{"a":1}}"#
        let query = "?query=query+Q+%7B+a+%7D&variables=%7B%22a%22%3A1%7D"
        func inBody(_ title: String, _ capture: Capture) -> Bool? {
            GraphQLLens().view(capture).sections.first { $0.title == title }?.isInBody
        }
        func asked(_ method: String, _ target: String, _ type: String, _ body: String) -> Capture {
            LensSample.capture(
                method,
                target,
                requestFields: "Content-Type: \(type)\r\n",
                request: Array(body.utf8),
                response: Array(#"{"data":{"a":1}}"#.utf8)
            )
        }
        let posted = asked("POST", "/graphql", "application/json", call)
        #expect(inBody("Variables", posted) == true && inBody("Data", posted) == true)
        #expect(inBody("Variables", asked("GET", "/graphql\(query)", "application/json", "")) == false)
        let events = LensSample.capture(
            "POST",
            "/graphql",
            request: Array(call.utf8),
            fields: "Content-Type: text/event-stream\r\n",
            response: Array("data: {\"data\":{\"a\":1}}\n\n".utf8)
        )
        #expect(inBody("Data", events) == false)
    }
}
