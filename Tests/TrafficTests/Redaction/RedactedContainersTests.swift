import Foundation
import Testing
import Traffic

/// Bodies in which a secret (`*`) stands somewhere within what has the name of one, beside something that is none.
///
/// The secret is a short word, which nothing but its place tells.
@Suite("Secrets within objects, lists and elements do not leave the machine", .timeLimit(.minutes(15)))
struct RedactedContainersTests {
    private static let secret = "hunter2"

    /// What an export has of a response with this body.
    private func masked(
        _ body: [UInt8],
        type: String = "text/plain",
        findingLimit: Int = Redactor.findingLimit
    ) throws -> [UInt8] {
        let sample = SampleExchange(response: "HTTP/1.1 200 OK\nContent-Type: \(type)\n\n", responseBody: body)
        let redactor = Redactor(findingLimit: findingLimit, digest: Redactor.quickDigest)
        return try redactor.maskedResponse(of: sample)
    }

    @Test(
        "A secret is masked, and what stands beside it stays",
        arguments: [
            "<key>code</key><dict><key>password</key><string>*</string></dict><b>kept</b>",
            "<key>token</key><key>password</key><string>*</string><b>kept</b>",
            #"<key>password</key><dict><a value="*"/></dict><b>kept</b>"#, #"<password value="*"/><b>kept</b>"#,
            #"<string name="token"><![CDATA[*]]></string><b>kept</b>"#,
            #"<property name="password"><value>*</value></property><b>kept</b>"#,
            #"<item name="password" value=""><a><b>*</b></a></item><b>kept</b>"#,
            "<password><value>*</value></password><b>kept</b>", "<b>kept</b><password> <value>*",
            "<password>first<value>*</value></password><b>kept</b>",
            "<a:name>password</a:name><a:value>*</a:value><b>kept</b>",
            "<key><![CDATA[password]]></key><string>*</string><b>kept</b>",
            "<key>password</key><!-- <a> </b> </c> --><string>*</string><b>kept</b>",
            "<key>password</key><array><string>a</string><!-- </array> --><string>*</string></array><b>kept</b>",
            "{'token': {'a': '*', 'b': ['first *, x:y']}, 'c': 'kept'}", "{'token': {'a': '} *'}, 'c': 'kept'}",
            #"kept {"token":{'it"s': 1, "a": "*"}}"#, #"kept {"token":{'it"s': 1, "a": "first, * x"}}"#,
            #"kept {'token':[' " '],"password":{"a":"*","b":"x] *"}}"#, #"{"auth":{a:*,b:[`*`]},"c":"kept"}"#,
            "tokens = [\"*\", '*']\nkept = 1", #"{"auth"=>{"a"=>"*"}, "b"=>"kept"}"#,
            #"{:token=>{:a=>'x * y', :b => "*"}, :password=>"*", :c=>"kept"}"#,
            #"{"auth":{"a":"{ *","b":"} *"},"c":"kept"}"#, #"{"auth":[{"a":"* ]"}, "*"],"c":"kept"}"#,
            #"{"s":"{\"auth\": [{\"a\": \"*\", \"pin\": [12345678]}],\n \"c\": \"kept\"}","d":"kept"}"#,
            "tokens:\n  - *\n\n  - 'first * last'\nkept: 1",
            "tokens:\r\n- *\r\n- a: \"x, *\"\r\n  b: *\r\nkept: 1\r\n",
            "- password: >-\n    *\n- kept", "\"password\": |+ # a\n first\n\n  x: *\n\nkept: 1",
            "credentials:\n  a: *\n  b:\n    - *\nkept: 1", "kept: 1\npassword: |\n  *",
            "tokens:\n  - password: |\n      first\n      *\n  - *\nkept: 1",
            #"{"text":"password: |\n  first\n  *","kept":1}"#,
            "password: 'it''s *'\nkept: 1", "password = 'it''s *' and kept = ''",
            "{'name': 'password', 'value': '*', 'kept': 1}",
            "{'value': \"it's *\", 'kept': \"it's\", 'name': 'password'}",
            #"{'log': '{"name":"password","value":"*"}', 'kept': 1}"#, "['Cookie', 'a=*', 'kept']",
            "password := \"*\"; kept",
            #"{"tokens":{"pin":[{"a":"*"}]},"c":"kept"}"#, #"{"secret":{"a":"\"*\"","b":[["*"]]},"c":"kept"}"#,
            "password:\n  *\nkept: 1", "- password:\r\n    *\r\n  kept: 1", "password: # of ann\n  *\nkept: 1",
            "password:\n  # of ann\n\n  *\nkept: 1", "password: !!str &a\n  *\nkept: 1",
            "password:\n  'first *'\nkept: 1", "password: # of ann\n  \"first *\"\nkept: 1",
            "passwords:\n  # - *\n  - first\nkept: 1", "passwords:\n- first\n# - *\nkept: 1",
            "passwords:\n  a: first\n  ## b: *\n  # this is kept\nkept: 1",
            "password:\n  # *\nkept: 1", "passwords: # none\n# - *\n\nkept: 1",
            #"{"text":"password:\n  *","kept":1}"#, "const password =\n    \"first *\"\nkept",
            "INSERT INTO users (name, password) VALUES ('kept', '*')",
            "insert into users\n(`password`, [id])\nvalues\n  ('it''s *', 1),\n  (md5('*'), 2);\nkept",
            #"{"query":"INSERT INTO users (password, name) VALUES ('*', 'kept')"}"#,
            #"{"query":"INSERT INTO users (\"name\", \"pass\")\nVALUES ('kept', 'first, *')"}"#,
            "INSERT INTO users (name, password) VALUES ('kept', 'first *", "CREATE USER kept IDENTIFIED BY '*'",
            "ALTER ROLE kept WITH PASSWORD '*'",
            "COPY users (id, name, password) FROM stdin;\n7\tkept\t*\n8\tkept\t\\N\n9\tann\t*\n\\.\nkept",
            #"{"columns":["name","password"],"rows":[["kept","*"],["kept","first * last"]]}"#,
            #"{"meta":[{"name":"id"},{"name":"password"}],"data":[[7,"*"]],"c":"kept"}"#,
            #"{"values":[["id","name","password"],[7,"kept","*"],[8,"kept","*"]]}"#,
            #"[["id","name","password"],[7,"kept","*"]]"#, #"{"label":"password","value":"*","kept":1}"#,
            #"{"ParameterKey":"DBPassword","ParameterValue":"*","kept":1}"#,
            #"password = b"it's *"; kept"#, #"{'password': u"it's *", 'kept': 1}"#,
            #"string password = @"it's *"; kept"#, #"{"url":"/a?sid=b","kept":1,"token":"*"}"#,
            #"{"a":["kept","x password:\"*\"","b"]}"#, #"{"a":["token=b"," x"],"password":"*","b":"kept"}"#,
            #"{"log":"{'pin': 123456}","password":"*","b":"kept"}"#, #"token = b"*".hex(); kept"#,
            #"{"columns":["name","mail","password"],"rows":[["secret","a@x","first *"],["bob","b@x","*"]],"c":"kept"}"#,
            #"{"data":{"rows":[["kept","*"],["kept","first * last"]],"cols":[{"name":"name"},{"name":"password"}]}}"#,
            #"{"about":{"rowType":[{"name":"ID"},{"name":"PASSWORD"}]},"data":[["7","*"]],"c":"kept"}"#,
            #"{"a":[{"rows":[["kept","*"]],"c":{"d":{"fields":["name","password"]}}}],"rows":[["a","kept"]]}"#,
            #"kept {"rows":[["a","*"]],"columns":["name","password"],"last":["b"#,
            #"{"columnMetadata":[{"name":"id"},{"name":"password"}],"records":[[{"kept":7},{"stringValue":"*"}]]}"#,
            #"{"columns":["name","credentials"],"rows":[["kept",{"a":["*",{"b":-7,"c":"*"}]}]]}"#,
            #"{"query":"mutation { set(input: {key: \"DB_PASSWORD\", value: \"*\"}) { kept } }"}"#,
            #"<script>a=[{name:"csrf",value:"*"},{name:"a",value:"kept"}]</script>"#,
            "b({value: '*', 'c': 1, name: 'password'}, {name: 'a', value: 'kept'})",
            #"a = {name: "credentials", value: [-7, "*", {c: "*"}], b: "kept"}"#,
            #"{"columns":["tokens"],"primary_key":["code"],"rows":[["*"]],"c":"kept"}"#,
            #"{"primary_key":["code"],"columns":["password","code"],"rows":[["*","kept"]]}"#,
            "password = \"\"\"\nfirst \"*\"\n\"\"\"\nkept = 1", "{\"password\": \"\"\"first \"*\" \"\"\", 'kept': 1}",
            "Cookie: a=\"x\"; b=*\nHost: kept",
            "GET / HTTP/1.1\r\nAuthorization: Digest username=\"ann\", response=\"*\"\r\nHost: kept",
        ]
    )
    func texts(_ text: String) throws {
        let isJSON = text.hasPrefix("{\"") && !["=>", "{a:", "'kept'"].contains { text.contains($0) }
        let body = Array(text.replacing("*", with: Self.secret).utf8)
        let bytes = try masked(body, type: isJSON ? "application/json" : "text/html")
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.contains("kept"), "\(out)")
        if isJSON { #expect(throws: Never.self, "\(out)") { try JSONReader.value(bytes) } }
    }

    @Test(
        "Below a broad name what is plain stays, and what looks made or stands under a sure name there is masked",
        arguments: [
            #"{"session":{"a":"%1","b":"%2","c":"%3","d":"%4","e":"%5","f":%6,"id":"*","tokens":["Sommerferien"]}}"#,
            #"{"name":"auth","value":{"a":"%1","b":"%2","c":"%3","d":"%4","e":"%5","f":%6,"id":"*","tokens":["Sommerferien"]}}"#,
            "auth:\n  a: %1\n  b: '%2'\n  c: %3\n  d: %4\n  e: %5\n  f: %6\n  id: *\n  tokens:\n    a: Sommerferien\n",
            "session = {a: '%1', b: '%2', c: '%3', d: '%4', e: '%5', f: %6, id: '*', tokens: ['Sommerferien']}",
            "session: {a: '%1', b: '%2', c: '%3', d: '%4', e: '%5', f: %6, id: '*', tokens: ['Sommerferien']}",
            "<auth><a>%1</a><b>%2</b><c>%3</c><d>%4</d><e>%5</e><f>%6</f><g>*</g><tokens><h>Sommerferien</h></tokens></auth>",
        ]
    )
    func broad(_ text: String) throws {
        let plain = [
            "2026-11-23T10:00:00Z", "#/components/schemas/Pet", "application/json", "https://h.test/login", "active",
            "1763647323",
        ]
        let secret = "q7Wn2Zk9Lx4Tb8Vd"
        var whole = text.replacing("*", with: secret)
        for (place, value) in plain.enumerated() { whole = whole.replacing("%\(place + 1)", with: value) }
        let out = String(decoding: try masked(Array(whole.utf8)), as: UTF8.self)
        for value in plain { #expect(out.contains(value), "\(value): \(out)") }
        #expect(!out.contains(secret) && !out.contains("Sommerferien"), "\(out)")
    }

    @Test("Numbers in what has a secret's name are masked there, and stay where they count something else")
    func numbers() throws {
        let text = #"{"credentials":{"a":12345678,"b":["87654321"]},"log":"12345678 of 87654321"}"#
        let out = String(decoding: try masked(Array(text.utf8), type: "application/json"), as: UTF8.self)
        #expect(out.hasSuffix(#","log":"12345678 of 87654321"}"#) && !out.contains("a\":1"), "\(out)")
    }

    @Test(
        "A number below zero is masked with its sign, and JSON stays JSON",
        arguments: [
            #"{"name":"pin","value":-1234567,"kept":1}"#, #"["pin",-1234567,"kept"]"#,
            #"[["id","pin","a"],["kept",-1234567,1]]"#,
        ]
    )
    func negative(_ text: String) throws {
        let bytes = try masked(Array(text.utf8), type: "application/json")
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains("1234567") && out.contains("kept"), "\(out)")
        #expect(throws: Never.self, "\(out)") { try JSONReader.value(bytes) }
    }

    @Test("Names in lists that have ended make room for others, however many they are")
    func names() throws {
        let many = String(repeating: #"{"required":["pin"]},"#, count: 1_100)
        let text = "[\(many){\"columns\":[\"name\",\"password\"],\"rows\":[[\"kept\",\"\(Self.secret)\"]]}]"
        let out = String(decoding: try masked(Array(text.utf8), findingLimit: 1_000), as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasPrefix("[" + many) && out.contains("kept"))
    }

    @Test("A table is hidden where there is no room for the names of its columns, and JSON stays JSON")
    func tables() throws {
        let many = String(repeating: #"{"rows":[[]],"columns":["pin"]},"#, count: 1_000)
        let text = "[\(many){\"rows\":[[\"\(Self.secret)\"]],\"columns\":[\"password\"]},\"kept\"]"
        let bytes = try masked(Array(text.utf8), findingLimit: 1_000)
        let out = String(decoding: bytes, as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasPrefix("[" + many) && out.hasSuffix(#">","kept"]"#))
        #expect(throws: Never.self) { try JSONReader.value(bytes) }
    }

    @Test("Values that are no secrets under a doubtful name take no room, however many they are")
    func doubtful() throws {
        let text = #"[["id","code","a"]"# + String(repeating: #",[7,"DE","kept"]"#, count: 1_100) + "]"
        let bytes = try masked(Array(text.utf8), findingLimit: 1_000)
        #expect(String(decoding: bytes, as: UTF8.self) == text)
    }

    @Test("Values that no name came for make room for others, however many they are")
    func room() throws {
        let many = String(repeating: #"{"v":1},"#, count: 1_100)
        let text = "[\(many){\"name\":\"password\",\"v\":\"\(Self.secret)\",\"k\":\"kept\"}]"
        let out = String(decoding: try masked(Array(text.utf8), findingLimit: 1_000), as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasPrefix("[\(many){\"name\":\"password\",\"v\":\"<"))
        #expect(out.hasSuffix(#">","k":"kept"}]"#))
    }

    @Test("A text like an element that does not end hides what stands before the next one only")
    func help() throws {
        let text = #"{"help":"Bearer <token> is sent","link":"<a>kept</a>"}"#
        #expect(String(decoding: try masked(Array(text.utf8)), as: UTF8.self).contains("<a>kept</a>"))
    }

    @Test("What is in a long list of a property list is masked to its end")
    func long() throws {
        let list = String(repeating: "<string>word</string>", count: 5_000)
        let text = "<key>tokens</key><array>\(list)<string>\(Self.secret)</string></array><b>kept</b>"
        let out = String(decoding: try masked(Array(text.utf8)), as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasSuffix("<b>kept</b>"))
    }

    @Test("Numbers in a list do not each take the backslashes that stand before its name's end")
    func slashes() throws {
        let text = "\"token" + String(repeating: "\\", count: 3_000) + "\":[" + String(repeating: "1,", count: 1_000)
        #expect(try masked(Array(text.utf8)).count < 100_000)
    }

    @Test(
        "Of more secrets than are kept apart all that follows becomes one",
        arguments: [#"{"password":["#, #"{"name":"password","value":["#]
    )
    func many(_ start: String) throws { try many(start, limit: 1_000) }

    /// Masks a body with more secrets than so many, which are kept apart.
    func many(_ start: String, limit: Int) throws {
        let text = start + String(repeating: "1,", count: limit + 100) + "\"\(Self.secret)\"]}"
        let out = String(decoding: try masked(Array(text.utf8), findingLimit: limit), as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasPrefix(start) && out.hasSuffix(">"))
        // What comes before it has placeholders of its own.
        #expect(out.utf8.count { $0 == UInt8(ascii: "<") } > limit / 2)
    }

    @Test("What there is no room for is hidden from the first of it on, however deep that stands")
    func deepest() throws {
        let many = String(repeating: "1,", count: 1_000)
        let text = #"{"name":"password","value":["# + many + "{\"value\":\"\(Self.secret)\",\"x\":2}]}"
        let out = String(decoding: try masked(Array(text.utf8), findingLimit: 1_000), as: UTF8.self)
        #expect(!out.contains(Self.secret) && out.hasSuffix(">"))
    }

    @Test("A secret within another one is masked where it stands alone too")
    func parts() throws {
        let secret = "q7Wn2Zk9Lx4Tb8Vd"
        let text = #"{"token":{"a":"first ?sig=\#(secret)&x=1"},"log":"kept \#(secret)"}"#
        let out = String(decoding: try masked(Array(text.utf8), type: "application/json"), as: UTF8.self)
        #expect(!out.contains(secret) && out.contains("kept"), "\(out)")
    }

    @Test("A secret in a text of bytes that look like UTF-16, or like a coding, is masked in either reading")
    func guesses() throws {
        let json = Array(#"{"a":"password","password":"\#(Self.secret)","kept":1}"#.utf8)
        let wide: [UInt8] = [0xFF, 0xFE] + json.flatMap { [$0, 0] as [UInt8] }
        let coder = GzipEncoder()
        let packed = try coder.write(json) + coder.finish()
        let marked: [[UInt8]] = [[0xFF, 0xFE] + json, [0xFE, 0xFF] + json, [0xFF, 0xFE, 0x20] + json]
        for body in marked + [wide + json, packed + json] {
            let bytes = try masked(body)
            let out = String(decoding: bytes, as: UTF8.self)
            #expect(!out.contains(Self.secret), "\(out)")
            for order in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
                let units = Array(out.data(using: order) ?? Data())
                #expect(!String(decoding: units, as: UTF8.self).contains(Self.secret), "\(out)")
            }
        }
    }
}
