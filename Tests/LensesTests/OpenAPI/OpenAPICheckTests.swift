import Lenses
import Testing

@Suite("Captures held to an OpenAPI document", .timeLimit(.minutes(15)))
struct OpenAPICheckTests {
    private static let document = #"""
        {"openapi": "3.0.3", "info": {"title": "T", "version": "1"},
         "servers": [{"url": "https://api.example.test/v2"}],
         "paths": {
          "/items": {
           "parameters": [{"$ref": "#/components/parameters/Limit"}],
           "get": {
            "parameters": [
             {"name": "tag", "in": "query", "schema": {"type": "array", "items": {"enum": ["a", "b"]}}},
             {"name": "ids", "in": "query", "style": "form", "explode": false, "schema": {"type": "array", "items": {"type": "integer"}}},
             {"name": "filter", "in": "query", "style": "deepObject", "schema": {"type": "object", "properties": {"max": {"type": "integer"}}}},
             {"name": "open", "in": "query", "schema": {"type": "boolean"}},
             {"name": "X-Trace", "in": "header", "required": true, "schema": {"type": "string", "format": "uuid"}},
             {"name": "sid", "in": "cookie", "schema": {"type": "string", "minLength": 3}}],
            "responses": {
             "200": {"description": "", "headers": {"X-Total": {"required": true, "schema": {"type": "integer"}}},
              "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Item"}}}}},
             "4XX": {"description": "", "content": {"application/*": {"schema": {"type": "object", "required": ["error"]}}}}}},
           "post": {
            "requestBody": {"required": true, "content": {
             "application/json": {"schema": {"$ref": "#/components/schemas/Item"}},
             "application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}}}},
            "responses": {"201": {"description": ""}, "default": {"description": "", "content": {"text/plain": {"schema": {"type": "integer"}}}}}}},
          "/items/{id}": {"get": {
            "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
            "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}}}},
          "/items/newest": {"get": {"responses": {"204": {"description": ""}}}},
          "/files/{name}.{kind}": {"get": {"responses": {"200": {"description": ""}}}}},
         "components": {
          "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "integer", "maximum": 100}}},
          "securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "api_key"}},
          "schemas": {"Item": {"type": "object", "required": ["id", "secret"], "properties": {
            "id": {"type": "integer", "readOnly": true}, "secret": {"type": "string", "writeOnly": true},
            "parent": {"nullable": true, "allOf": [{"$ref": "#/components/schemas/Item"}]}, "when": {"type": "string", "format": "date-time"}}}}}}
        """#

    private static let trace = "X-Trace: c2d29867-3d0b-d497-9191-18a9d8ee7830\r\n"

    @Test(
        "A request is held to its path, method and parameters",
        arguments: [
            ("GET", "https://api.example.test/v2/items", trace, []),
            ("GET", "https://api.example.test/v2/items/", trace, ["OA-path"]),
            ("GET", "https://api.example.test/items", trace, []),
            ("PUT", "https://api.example.test/v2/items", trace, ["OA-method"]),
            ("HEAD", "https://api.example.test/v2/items", trace, []),
            ("GET", "https://api.example.test/v2/items", "", ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items", "X-Trace: 1\r\n", ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?limit=100&open=true&api_key=k", trace, []),
            ("GET", "https://api.example.test/v2/items?limit=101", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?limit=ten", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?open=1", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?tag=a&tag=b", trace, []),
            ("GET", "https://api.example.test/v2/items?tag=a&tag=c", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?ids=1,2,3", trace, []),
            ("GET", "https://api.example.test/v2/items?ids=1,x", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?filter%5Bmax%5D=7", trace, []),
            ("GET", "https://api.example.test/v2/items?filter%5Bmax%5D=x", trace, ["OA-parameter"]),
            ("GET", "https://api.example.test/v2/items?colour=red&colour=blue", trace, ["OA-unknown"]),
            ("GET", "https://api.example.test/v2/items", trace + "Cookie: a=b; sid=xy\r\n", ["OA-parameter"]),
            ("OPTIONS", "https://api.example.test/v2/items", "Access-Control-Request-Method: GET\r\n", []),
        ] as [(String, String, String, [String])]
    )
    func requests(method: String, url: String, fields: String, findings: [String]) throws {
        // What lies outside of the server's own path is not the document's.
        let capture = OpenAPICapture.make(method, url, fields: fields, code: nil)
        let document = try OpenAPICapture.document(Self.document)
        #expect(OpenAPICapture.findings(capture, document) == findings)
    }

    @Test(
        "A path with text goes before one that leaves it open, and an open part takes what it should",
        arguments: [
            ("/v2/items/7", 200, #"{"id": 7}"#, []), ("/v2/items/seven", 200, #"{"id": 7}"#, ["OA-parameter"]),
            ("/v2/items/newest", 204, nil, []), ("/v2/items/newest", 200, "{}", ["OA-status"]),
            ("/v2/files/a.b.txt", 200, nil, []), ("/v2/files/txt", 200, nil, ["OA-path"]),
            ("/v2/items/7/x", 200, nil, ["OA-path"]),
            ("/v2/items/7", 304, nil, []), ("/v2/items/%37", 200, #"{"id": 7}"#, []),
        ] as [(String, Int, String?, [String])]
    )
    func paths(target: String, code: Int, answer: String?, findings: [String]) throws {
        let capture = OpenAPICapture.make("GET", "https://api.example.test\(target)", code: code, answer: answer)
        #expect(try OpenAPICapture.findings(capture, OpenAPICapture.document(Self.document)) == findings)
    }

    @Test(
        "A response is held to its status, fields, media type and schema",
        arguments: [
            (
                200, #"[{"id": 1, "parent": {"id": 2, "parent": null}}]"#, "application/json; charset=utf-8",
                "X-Total: 1\r\n", []
            ),
            (
                200, #"[{"id": 1, "parent": {"id": "x"}}]"#, "application/json", "X-Total: 1\r\n",
                ["OA-schema /0/parent/id"]
            ),
            (
                200, #"[{"id": 1, "when": "now"}, {}]"#, "application/json", "X-Total: 1\r\n",
                ["OA-schema /0/when", "OA-schema /1"]
            ),
            (200, "[", "application/json", "X-Total: 1\r\n", ["OA-body"]),
            (200, "[]", "text/html", "X-Total: 1\r\n", ["OA-media-type"]),
            (200, "[]", nil, "X-Total: 1\r\n", ["OA-media-type"]),
            (200, nil, "application/json", "X-Total: 1\r\n", ["OA-empty"]),
            (200, "[]", "application/json", "", ["OA-header"]),
            (200, "[]", "application/json", "X-Total: x\r\n", ["OA-header"]),
            (404, #"{"error": 1}"#, "application/problem+json", "", []),
            (404, "{}", "application/problem+json", "", ["OA-schema"]),
            (500, "{}", "application/json", "", ["OA-status"]),
        ] as [(Int, String?, String?, String, [String])]
    )
    func responses(code: Int, answer: String?, type: String?, fields: String, findings: [String]) throws {
        let capture = OpenAPICapture.make(
            "GET",
            "https://api.example.test/v2/items",
            fields: Self.trace,
            code: code,
            answer: answer,
            type: type,
            answerFields: fields
        )
        #expect(try OpenAPICapture.findings(capture, OpenAPICapture.document(Self.document)) == findings)
    }

    @Test(
        "A request's body is held to its schema; what is only read is not sent",
        arguments: [
            (#"{"secret": "s"}"#, "application/json", []), (#"{"id": 1}"#, "application/json", ["OA-schema"]),
            (nil, "application/json", ["OA-body"]), ("count=7&other=x", "application/x-www-form-urlencoded", []),
            ("count=x", "application/x-www-form-urlencoded", ["OA-schema /count"]),
            ("other=1", "application/x-www-form-urlencoded", ["OA-schema"]),
            ("x", "text/csv", ["OA-media-type"]),
        ] as [(String?, String, [String])]
    )
    func bodies(sent: String?, type: String, findings: [String]) throws {
        let capture = OpenAPICapture.make(
            "POST",
            "https://api.example.test/v2/items",
            sent: sent,
            sentType: type,
            code: 201
        )
        #expect(try OpenAPICapture.findings(capture, OpenAPICapture.document(Self.document)) == findings)
    }

    @Test(
        "A local server stands in for the document's, another host does not unless it is said",
        arguments: [
            ("http://127.0.0.1:8080/v2/items/newest", false, true), ("http://localhost/v2/other", false, false),
            ("https://other.test/v2/items/newest", false, false), ("https://other.test/v2/items/newest", true, true),
            ("https://api.example.test:8443/v2/items/newest", false, false),
        ]
    )
    func hosts(url: String, any: Bool, isDescribed: Bool) throws {
        let check = OpenAPICheck(try OpenAPICapture.document(Self.document), takesAnyHost: any)
        let result = check.check(OpenAPICapture.make("GET", url, code: 204))
        #expect(result.isDescribed == isDescribed && result.findings.isEmpty)
    }

    @Test("A message names the value, what was expected and where the document says so")
    func messages() throws {
        let capture = OpenAPICapture.make("GET", "https://api.example.test/v2/items/7", answer: #"{"id": "7"}"#)
        let result = OpenAPICheck(try OpenAPICapture.document(Self.document)).check(capture)
        #expect(
            result.findings.map(\.message) == [
                #"/id is "7"; expected integer (#/components/schemas/Item/properties/id/type)."#
            ]
        )
    }

    @Test(
        "A document that cannot be used is one clear line",
        arguments: [
            (#"[]"#, "expected an OpenAPI document, found a list"), (#"{"swagger": "2.0"}"#, "#/swagger: Swagger 2.0"),
            (#"{"openapi": "4.0.0", "paths": {}}"#, "#/openapi: OpenAPI 4.0.0"),
            (#"{"openapi": "3.1.0"}"#, "#/paths: expected an object"),
            (#"{"openapi": "3.0.0", "components": {}}"#, "#/paths: expected an object"),
            (#"{"openapi": "3.1.0", "paths": {"items": {}}}"#, "#/paths/items: expected a path"),
            (#"{"openapi": "3.1.0", "paths": {"/{id": {}}}"#, "#/paths/~1{id: expected a path"),
            (##"{"openapi": "3.1.0", "paths": {"/": {"$ref": "#/x"}}}"##, "#/paths/~1: $ref to #/x leads nowhere"),
            (
                ##"{"openapi": "3.1.0", "paths": {"/": {"$ref": "other.yaml"}}}"##,
                "#/paths/~1: $ref to other.yaml is in another file"
            ),
            (
                #"{"openapi": "3.1.0", "paths": {"/": {"get": {"responses": {"2000": {}}}}}}"#,
                "#/paths/~1/get/responses/2000: expected a status"
            ),
            (
                #"{"openapi": "3.1.0", "paths": {"/": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "text"}}}}}}}}}"#,
                "#/paths/~1/get/responses/200/content/application~1json/schema/type: there is no type text"
            ),
            (
                #"{"openapi": "3.1.0", "paths": {"/": {"parameters": [{"name": "a", "in": "body"}]}}}"#,
                "#/paths/~1/parameters/0: a parameter is in path"
            ),
        ]
    )
    func problems(json: String, sentence: String) throws {
        let problem = #expect(throws: OpenAPIProblem.self) { try OpenAPICapture.document(json) }
        #expect(problem?.description.hasPrefix(sentence) == true, "\(problem?.description ?? "")")
    }

    private static let oneWay = ##"""
        {"openapi": "3.0.3", "paths": {"/x": {"post": {
          "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}},
          "responses": {"200": {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}}}}}},
         "components": {"schemas": {
          "ID": {"type": "integer", "readOnly": true}, "Secret": {"allOf": [{"type": "string", "writeOnly": true}]},
          "Base": {"properties": {"id": {"$ref": "#/components/schemas/ID"}, "secret": {"$ref": "#/components/schemas/Secret"},
            "made": {"allOf": [{"$ref": "#/components/schemas/ID"}], "description": "x"}}},
          "Pet": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"required": ["id", "secret", "made", "name"]}],
            "properties": {"name": {"type": "string"}}}}}}
        """##

    @Test("What is only read or written is so whichever schema says it, of the value or of the member")
    func oneWay() throws {
        let document = try OpenAPICapture.document(Self.oneWay)
        func findings(_ sent: String, _ answer: String) -> [String] {
            let capture = OpenAPICapture.make("POST", "https://a.test/x", sent: sent, answer: answer)
            return OpenAPICheck(document).check(capture).findings.map {
                "\($0.side) \($0.message.prefix { $0 != "," })"
            }
        }
        #expect(findings(#"{"secret": "s", "name": "n"}"#, #"{"id": 1, "made": 2, "name": "n"}"#) == [])
        #expect(
            findings(#"{"secret": "s"}"#, #"{"id": 1, "made": 2}"#) == [
                "request The body has no name", "response The body has no name",
            ]
        )
        #expect(
            findings(#"{"name": "n"}"#, #"{"name": "n"}"#) == [
                "request The body has no secret", "response The body has no id", "response The body has no made",
            ]
        )
    }

    @Test("A form's value may have a number sign in it")
    func numberSign() throws {
        let document = try OpenAPICapture.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"#
                + #""type": "object", "required": ["color", "size"], "properties": {"color": {"type": "string", "minLength": 7}, "#
                + #""size": {"type": "integer"}}}}}}, "responses": {"200": {"description": ""}}}}}}"#
        )
        let capture = OpenAPICapture.make(
            "POST",
            "https://a.test/x",
            sent: "color=#ff0000&size=3",
            sentType: "application/x-www-form-urlencoded"
        )
        #expect(OpenAPICapture.findings(capture, document) == [])
    }

    private static let servers = #"""
        {"openapi": "3.0.3", "servers": [{"url": "https://a.test"}], "paths": {
          "/a/{id}": {"servers": [{"url": "https://b.test"}], "get": {"responses": {"200": {"description": ""}}}},
          "/a/me": {"servers": [{"url": "https://b.test"}], "get": {"responses": {"204": {"description": ""}}}},
          "/files": {"get": {"responses": {"200": {"description": ""}}},
            "post": {"servers": [{"url": "https://up.test/v1"}], "responses": {"201": {"description": ""}}}}}}
        """#

    @Test(
        "Of paths with servers of their own the closest is taken, and an operation's servers are its own",
        arguments: [
            ("GET", "https://b.test/a/me", 204, []), ("GET", "https://b.test/a/you", 200, []),
            ("GET", "https://b.test/a/me", 200, ["OA-status"]), ("GET", "https://a.test/files", 200, []),
            ("POST", "https://up.test/v1/files", 201, []), ("POST", "https://a.test/files", 201, ["OA-method"]),
            ("GET", "https://up.test/v1/files", 200, ["OA-method"]), ("POST", "http://localhost/v1/files", 201, []),
        ] as [(String, String, Int, [String])]
    )
    func ownServers(method: String, url: String, code: Int, findings: [String]) throws {
        let capture = OpenAPICapture.make(method, url, code: code)
        #expect(try OpenAPICapture.findings(capture, OpenAPICapture.document(Self.servers)) == findings)
    }

    @Test("From 3.1 on a document may have no paths")
    func pathless() throws {
        let document = try OpenAPICapture.document(#"{"openapi": "3.1.0", "components": {"schemas": {}}}"#)
        #expect(OpenAPICheck(document).check(OpenAPICapture.make("GET", "https://a.test/x")).isDescribed)
    }
}
