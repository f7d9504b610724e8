import Testing

@testable import inspect

/// Options of mitmproxy become rules that do the same, or say why not.
@Suite(.timeLimit(.minutes(15))) struct MitmproxyImportTests {
    /// What is made of one value of an option; its single quotes are doubled already.
    private static func actions(_ option: String, _ value: String) throws -> [String] {
        try ImportedSample("listen_port: 8080\n\(option):\n- '\(value)'\n").actions
    }

    private static let values: [(String, String, [String])] = [
        (
            "map_local", "|https://cdn.test/s|/no/such/",
            [
                "when: 'url:/(?-i)https:\\/\\/cdn.test\\/s/'",
                "respond: {dir: \"/no/such/\", strip: \"/s\", index: index.html}",
            ]
        ),
        ("map_local", "|a[.]js|/no/a.js", ["when: \"url:/(?-i)a[.]js/\"", "respond: {file: \"/no/a.js\"}"]),
        (
            "map_remote", "|https?://a.test|https://b.test",
            [
                "# not said: the port stays where a URL has one; here only the usual ports are taken",
                "when: 'url:/(?-i)https?:\\/\\/a.test/ host:/^a\\.test$/ port:80,443'",
                "send: {to: \"https://b.test\"}",
            ]
        ),
        (
            "map_remote", "|.*\\.jpg$|https://b.test/x?y",
            ["when: 'url:/(?-i).*\\.jpg$/'", "send: {to: \"https://b.test\"}", "request: {target: \"/x?y\"}"]
        ),
        (
            "map_remote", "@^(a|b).*$@https://b.test/",
            ["when: \"url:/(?-i)^(a|b).*$/\"", "send: {to: \"https://b.test\"}", "request: {target: \"/\"}"]
        ),
        (
            "map_remote", "|~m GET|//a.test/|//b.test/",
            [
                "# not said: the scheme of the request stays; here it becomes https",
                "when: 'method:GET url:/(?-i)\\/\\/a.test\\// host:/^a\\.test$/'", "send: {to: \"https://b.test\"}",
            ]
        ),
        (
            "modify_headers", "/X-A/${b}",
            ["request: {fields: {set: {X-A: \"$${b}\"}}}", "response: {fields: {set: {X-A: \"$${b}\"}}}"]
        ),
        ("modify_headers", "/~q/Cookie/", ["request: {fields: {remove: \"Cookie\"}}"]),
        (
            "modify_body", "/~s/(a)b/\\g<1>\\\\1\\n${c}",
            ["response: {body: {replace: {regex: \"(?s)(a)b\", with: \"${1}${1}\\n$${c}\"}}}"]
        ),
        (
            "modify_body", "/~bs x/\\\\./\\1",
            [
                "when: \"resbody:/(?s)x/\"",
                "response: {body: {replace: {regex: \"(?s)\\\\.\", with: \"\\u0001\"}}}",
            ]
        ),
        ("modify_headers", "/~q/X-A/\\x41\\\\n", ["request: {fields: {set: {X-A: \"A\\\\n\"}}}"]),
        ("block_list", ":~d ads:444", ["when: \"host:/(?:ads)/\"", "block: close"]),
        ("block_list", ":~all:404", ["block: \"404\""]), ("block_list", ":~all:200", ["respond: {status: \"200\"}"]),
    ]

    @Test("Each option becomes an action", arguments: values)
    func options(_ option: String, _ value: String, _ lines: [String]) throws {
        #expect(try Self.actions(option, value) == lines)
    }

    private static let selections: [(String, String)] = [
        ("~d a & ~u \"b c\"", "'host:/(?:a)/ url:/b\\u{20}c/'"), ("~m GET|POST", "\"method:GET,POST\""),
        ("~d a | !~d b & ~c 404", "\"((host:/(?:a)/) or (-host:/(?:b)/ code:404))\""),
        ("(~d a | ~d b) ~m POST", "\"((((host:/(?:a)/) or (host:/(?:b)/)) method:POST))\""),
        ("!(~d a | ~d b)", "\"((-((host:/(?:a)/) or (host:/(?:b)/))))\""),
        ("~hq \"x: \\\"y\"", "'reqheader:/x:\\u{20}\"y/'"),
        ("~ts json", "\"resheader:content-type=/json/\""),
        ("~h x", "\"header:/(?:x)/\""), ("~hs x.", "\"resheader:/x./\""),
        ("~tq a", "\"reqheader:content-type=/a/\""),
        ("~b x", "\"body:/(?s)x/\""), ("~bq x", "\"reqbody:/(?s)x/\""), ("~bs x", "\"resbody:/(?s)x/\""),
        ("~ts \"\"", "\"resheader:content-type\""), ("~m ge.", "\"method:/ge./\""),
        ("~t ^text.html", "\"header:content-type=/^text.html/\""), ("~u \"a\\.b\"", "\"url:/a.b/\""),
        ("~u \"a\\\\.b\"", "'url:/a\\.b/'"), ("~m P", "\"method:/(?:P)/\""),
    ]

    @Test("A filter becomes a query that means the same", arguments: selections)
    func filters(_ filter: String, _ query: String) throws {
        #expect(try Self.actions("modify_headers", "/\(filter)/A/").first { !$0.hasPrefix("#") } == "when: \(query)")
    }

    @Test(
        "A filter that queries have no words for is said to be lost",
        arguments: [
            ("~q ~t a | ~s", "~q and ~s beside each other"), ("~q | ~d a", "~q or ~s within a larger filter"),
            ("~d a | ~d b ~m POST", "terms beside each other in a filter with '|', '~d a | ~d b ~m POST'"),
            ("(~d a ~d b)", "the filter '(~d a ~d b)' cannot be read"),
            ("~d a)(", "the filter '~d a)(' cannot be read"),
            ("~src a", "the filter ~src"), ("~u", "a filter without its regular expression"),
            ("~d a !", "the filter '~d a !' cannot be read"), ("! | ~d a", "the filter '! | ~d a' cannot be read"),
        ]
    )
    func filterGaps(_ filter: String, _ sentence: String) throws {
        let lines = try Self.actions("modify_headers", "/\(filter)/A/b")
        #expect(lines == ["# no rule for 'modify_headers /\(filter)/A/b': \(sentence)"])
    }

    @Test("Of several rules for a header all lines are added, and what is not so is said")
    func severalHeaders() throws {
        let sample = try ImportedSample(
            """
            modify_headers: ["/~s/Set-Cookie/a=1", "/~s/Set-Cookie/b=2", "/~s/Set-Cookie/", "/~q/Set-Cookie/c"]
            """
        )
        #expect(
            sample.actions == [
                "response: {fields: {set: {Set-Cookie: \"a=1\"}}}", "response: {fields: {add: {Set-Cookie: \"b=2\"}}}",
                "# no rule for 'modify_headers /~s/Set-Cookie/': what it takes away has gone before a line is added",
                "# not said: the lines that other rules add to this name stay; here they go where both apply",
                "request: {fields: {set: {Set-Cookie: \"c\"}}}",
            ]
        )
    }

    @Test(
        "Options work in the order in which they do there, and of several places the first that matches is the only one"
    )
    func order() throws {
        let sample = try ImportedSample(
            """
            map_remote: ["|http://a.test/api/|http://localhost:81/api/", "|http://a.test/|http://b.test/"]
            modify_headers: ["/~s & ~d a/X-A/1", "/~q & ~d a/X-B/1", "/~c 404/X-C/1"]
            map_local: ["|http://a.test/s/|/no/such/"]
            block_list: ["|~u /secret/|403"]
            """
        )
        let made = "# not said: it looks at the URL that map_remote made; here at the request's own"
        #expect(
            sample.actions == [
                "when: 'url:/\\/secret\\//'", "block: \"403\"", made,
                "when: 'url:/(?-i)http:\\/\\/a.test\\/s\\//'",
                "respond: {dir: \"/no/such/\", strip: \"/s/\", index: index.html}",
                made, "when: \"host:/(?:a)/\"", "response: {fields: {set: {X-A: \"1\"}}}",
                "when: \"host:/(?:a)/\"", "request: {fields: {set: {X-B: \"1\"}}}",
                "when: \"code:404\"", "response: {fields: {set: {X-C: \"1\"}}}",
                "when: 'url:/(?-i)http:\\/\\/a.test\\/api\\// host:/^a\\.test$/'",
                "send: {to: \"http://localhost:81\"}", "stop: true",
                "when: 'url:/(?-i)http:\\/\\/a.test\\// host:/^a\\.test$/'", "send: {to: \"http://b.test\"}",
            ]
        )
    }

    @Test("A place that works on what one above made says so, and one that is lost ends nothing")
    func chained() throws {
        let own = "# not said: it works on the URL that a rule above made too; here on the request's own alone"
        func remotes(_ values: String...) throws -> [String] {
            try ImportedSample("map_remote:\n\(values.map { "- '\($0)'\n" }.joined())").actions
                .filter { !$0.hasPrefix("when: ") }
        }
        #expect(
            try remotes("|http://a.test/|http://b.test/x/", "|http://b.test/|http://c.test/") == [
                "send: {to: \"http://b.test/x/\"}", "stop: true", own, "send: {to: \"http://c.test\"}",
            ]
        )
        #expect(
            try remotes("|http://a.test/|http://b.test/", "|.*[.]js$|http://c.test/x").filter { $0.hasPrefix("#") } == [
                own
            ]
        )
        #expect(
            try remotes("|http://a.test/|http://b.test/", "|a(b)|http://c.test") == [
                "send: {to: \"http://b.test\"}",
                "# no rule for 'map_remote |a(b)|http://c.test': 'http://c.test' in the place of what 'a(b)' matches",
            ]
        )
    }

    @Test("A body is not there when headers change, but the request's is when the response's do")
    func headersBeforeBody() throws {
        let gap =
            "# not said: headers change before their message's body is there, so that a filter on it holds for none; here it is waited for"
        for filter in ["~s & ~b x", "~bs x", "~q & ~bq x", "~bq x & ~q", "~bq x"] {
            #expect(try Self.actions("modify_headers", "/\(filter)/A/b").contains(gap), "\(filter)")
        }
        for filter in ["~s & ~bq x", "~bq x & ~s", "~bq x & ~c 404"] {
            #expect(try Self.actions("modify_headers", "/\(filter)/A/b").contains(gap) == false, "\(filter)")
        }
        #expect(try Self.actions("modify_body", "/~s & ~b x/A/b").contains(gap) == false)
    }

    @Test("A filter that looks at both messages, or holds before there is a response, says so")
    func bothSides() throws {
        #expect(
            try Self.actions("modify_headers", "/~h a/A/").first
                == "# not said: ~b, ~h and ~t ask of both messages; here of the one that changes"
        )
        #expect(
            try Self.actions("modify_headers", "/~d a | ~c 404/A/").first
                == "# not said: requests, of which the filter may hold before there is a response"
        )
    }

    @Test("A home directory is the variable's")
    func home() {
        #expect(
            MitmproxyFile.expanded("~/a~", home: "/h") == "/h/a~" && MitmproxyFile.expanded("~", home: "/h") == "/h"
        )
        #expect(
            MitmproxyFile.expanded("/~/a", home: "/h") == "/~/a" && MitmproxyFile.expanded("~/a", home: nil) != "~/a"
        )
    }

    @Test("What a value does by a file, a group or the response is said to be lost")
    func gaps() throws {
        for (option, value, sentence) in [
            ("modify_headers", "/A/@b", "a value from the file b"), ("modify_headers", "/A", "parts"),
            ("modify_body", "|a|@/b", "the content of the file /b in the place of a part of the body"),
            ("modify_body", "/.*/@b", "the content of the file b, which lies where mitmproxy was started"),
            ("modify_body", "|.*|@/no/b", ": the file /no/b cannot be read: No such file or directory"),
            ("map_remote", "|a(b)|https://c.test", "'https://c.test' in the place of what 'a(b)' matches"),
            ("map_remote", "@^https://a.test/x|y$@https://c.test", "in the place of what"),
            ("map_remote", "|^https://a.test/\\$|https://c.test", "a part of the path"),
            ("map_remote", "|ws://a.test|ws://b.test", "'ws://a.test' is no beginning of http: or https:"),
            ("modify_headers", "/X-*/", "the name 'X-*', in which * is itself"),
            ("modify_headers", "/A/\\xZZ", "has half an escape"), ("modify_headers", "/A/\\xE9", "the byte"),
            ("modify_body", "/a{,5}/b", "the regular expression 'a{,5}'"),
            ("modify_body", "/a/\\g<0>", "the group '0' in"), ("modify_body", "/a/\\g<n>", "the group 'n' in"),
            ("map_local", "|static|/srv/", "a directory for 'static', which is no beginning of a URL"),
            ("map_local", "|~c 200|a|/b", "it depends on the response, and is done to the request"),
            ("block_list", "/~d a/99", "expected a whole number from 200 to 999"),
            ("modify_headers", "", "its value is empty"),
        ] {
            let lines = try Self.actions(option, value)
            #expect(
                lines.count == 1 && lines.allSatisfy { $0.hasPrefix("# no rule for") && $0.contains(sentence) },
                "\(lines)"
            )
        }
    }
}
