import Testing

@testable import inspect

/// What Charles exports becomes rules that do the same, or says why not.
@Suite(.timeLimit(.minutes(15))) struct CharlesImportTests {
    private static let host = "host:/^api\\.shop\\.test$/"

    /// What is made of one rewrite rule, without the condition on the set's place.
    private static func rewrite(_ type: Int, _ members: KeyValuePairs<String, String>) throws -> [String] {
        let inner = members.map { "<\($0)>\($1)</\($0)>" }.joined()
        let sample = try ImportedSample(
            """
            <?xml version='1.0' encoding='UTF-8' ?>
            <?charles serialisation-version='2.0' ?>
            <rewriteSet-array><rewriteSet><active>true</active><name>shop</name><hosts><locationPatterns><locationMatch>
            <location><host>api.shop.test</host></location><enabled>true</enabled></locationMatch></locationPatterns></hosts>
            <rules><rewriteRule><active>true</active><ruleType>\(type)</ruleType>\(inner)</rewriteRule></rules>
            </rewriteSet></rewriteSet-array>
            """
        )
        return sample.actions.filter { $0 != "when: '\(host)'" }
            .map { $0.replacing("when: '\(host) ", with: "when: '") }
    }

    @Test("Each kind of rewrite rule becomes a change of the same part")
    func rewrites() throws {
        let both: KeyValuePairs = [
            "matchRequest": "true", "matchResponse": "true", "newHeader": "X", "newValue": "${a}",
        ]
        #expect(
            try Self.rewrite(1, both) == [
                "request: {fields: {add: {X: \"$${a}\"}}}", "response: {fields: {add: {X: \"$${a}\"}}}",
            ]
        )
        #expect(
            try Self.rewrite(2, ["matchHeader": "Cookie", "matchRequest": "true"]) == [
                "request: {fields: {remove: \"Cookie\"}}"
            ]
        )
        #expect(
            try Self.rewrite(
                3,
                [
                    "matchHeader": "Accept", "matchValue": "js(o)n", "matchValueRegex": "true", "newValue": "x$1ml",
                    "newValueRegex": "false", "replaceType": "1", "matchRequest": "true",
                ]
            ) == ["request: {fields: {replace: {Accept: {regex: \"(?i)js(o)n\", with: \"x${1}ml\", first: true}}}}"]
        )
        #expect(
            try Self.rewrite(5, ["matchValue": "/old", "matchWholeValue": "true", "newValue": "/new"]) == [
                "when: 'path:/^\\/old$/'", "request: {path: \"/new\"}",
            ]
        )
        #expect(
            try Self.rewrite(6, ["matchValue": "https://a.test/", "newValue": "http://b.test:81/x/"]) == [
                "when: 'url:/^https:\\/\\/a\\.test\\// host:/^a\\.test$/'", "send: {to: \"http://b.test:81/x/\"}",
            ]
        )
        #expect(
            try Self.rewrite(7, ["matchValue": "&lt;b&gt;", "newValue": "&amp;\n", "matchResponse": "true"]) == [
                "response: {body: {replace: {regex: \"(?i)<b>\", with: \"&\\n\"}}}"
            ]
        )
        #expect(
            try Self.rewrite(8, ["newHeader": "a b", "newValue": "c"]) == ["request: {query: {add: {\"a b\": \"c\"}}}"]
        )
        #expect(
            try Self.rewrite(9, ["matchHeader": "a", "newValue": "2"]) == [
                "when: 'query:/(^|&)a=/'", "request: {query: {set: {a: \"2\"}}}",
            ]
        )
        #expect(try Self.rewrite(10, ["matchHeader": "a"]) == ["request: {query: {remove: \"a\"}}"])
        #expect(
            try Self.rewrite(11, ["matchValue": "200", "newValue": "503 Gone"]) == [
                "when: 'code:200'", "response: {status: \"503\"}",
            ]
        )
    }

    @Test("What a rewrite rule does to a part of a value, or by an unknown type, is said to be lost")
    func gaps() throws {
        let scheme = "# not said: the scheme of the request stays; here it becomes https"
        let port = "# not said: the port of the request stays; here it becomes the usual one"
        #expect(try Self.rewrite(4, ["newValue": "b.test"]) == [scheme, port, "send: {to: \"https://b.test\"}"])
        let part = try Self.rewrite(5, ["matchValue": "old", "newValue": "new"])
        let query = try Self.rewrite(5, ["newValue": "/c?d=e"])
        #expect(query == ["# no rule for 'shop: path /c?d=e': the query in the path '/c?d=e'"])
        #expect(part == ["# no rule for 'shop: path new': 'new' in the place of 'old', a part of a value"])
        #expect(try Self.rewrite(12, [:]) == ["# no rule for 'shop: rule of type 12': a rule of type '12'"])
        let neither = try Self.rewrite(2, ["matchHeader": "A"])
        #expect(neither == ["# no rule for 'shop: remove header A': it is for neither requests nor responses"])
        let ahead = try Self.rewrite(7, ["matchValue": "a(?=b)", "matchValueRegex": "true", "matchResponse": "true"])
        #expect(ahead == ["# no rule for 'shop: body': looking ahead or behind is not supported"])
    }

    @Test("Groups are those of the match's expression, and no text of a value becomes a template")
    func groups() throws {
        // As GitHub has it: Charles writes newValueRegex as false beside groups.
        let real = try Self.rewrite(
            7,
            [
                "matchValue": #"("feature_toggles"\s*:\s*\{)"#, "matchValueRegex": "true", "matchResponse": "true",
                "newValue": #"$1"name":{},"#, "newValueRegex": "false", "caseSensitive": "true",
            ]
        )
        #expect(
            real == [
                #"response: {body: {replace: {regex: "(\"feature_toggles\"\\s*:\\s*\\{)", with: "${1}\"name\":{},"}}}"#
            ]
        )
        func value(_ new: String) throws -> String? {
            try Self.rewrite(
                7,
                [
                    "matchValue": "(a)", "matchValueRegex": "true", "matchResponse": "true", "newValue": new,
                    "caseSensitive": "true",
                ]
            ).first
        }
        #expect(
            try value(#"\$\{reqheader.Authorization}"#)
                == #"response: {body: {replace: {regex: "(a)", with: "$${reqheader.Authorization}"}}}"#
        )
        let inner = try Self.rewrite(
            7,
            ["matchValue": "[a-z&amp;&amp;[^b]]", "matchValueRegex": "true", "matchResponse": "true"]
        )
        #expect(inner == ["# no rule for 'shop: body': the regular expression '[a-z&&[^b]]'"])
        for (other, isOurs) in [
            ("[[f]o]+", false), ("[a&amp;&amp;b]", false), ("\\v", false), ("[^[a]]", false), ("\\[[a]", true),
            ("[\\[a]", true), ("a&amp;&amp;b", true),
        ] {
            let members: KeyValuePairs = ["matchValue": other, "matchValueRegex": "true", "matchResponse": "true"]
            #expect(try Self.rewrite(7, members)[0].hasPrefix("response: ") == isOurs, "\(other)")
        }
        #expect(try value("$0")?.hasSuffix(": '$0' in '$0'") == true)
        #expect(try value("${name}")?.hasSuffix(": '${' in '${name}'") == true)
        #expect(try value(#"\$$1"#)?.contains("a '$' in front of a group, in") == true)
        let renamed = try Self.rewrite(
            3,
            [
                "matchHeader": "X", "matchValue": "(.*)", "matchValueRegex": "true", "matchWholeValue": "true",
                "newHeader": "Y", "newValue": "$1", "matchRequest": "true",
            ]
        )
        #expect(
            renamed == ["# no rule for 'shop: modify header X': groups of '(.*)' in a header of another name"]
        )
    }

    @Test("What a rule asks of a header or an item is asked of its value")
    func conditions() throws {
        func add(_ rest: [(String, String)]) throws -> String? {
            let inner = rest.map { "<\($0)>\($1)</\($0)>" }.joined()
            let set = try ImportedSample(
                """
                <rewriteSet><name>n</name><hosts><locationMatch/></hosts><rules><rewriteRule><ruleType>1</ruleType><newHeader>Z</newHeader>
                <newValue>1</newValue><matchRequest>true</matchRequest>\(inner)</rewriteRule></rules></rewriteSet>
                """
            )
            return set.actions.first
        }
        let regex = ("matchValueRegex", "true")
        #expect(
            try add([("matchHeader", "X"), ("matchValue", "^v\\d{1,2},"), regex]) == "when: 'header:X=/^v\\d{1,2}\\,/'"
        )
        #expect(
            try add([
                ("matchHeader", "Content-Type"), ("matchValue", "a.b"), ("matchWholeValue", "true"),
                ("caseSensitive", "true"),
            ]) == "when: 'header:Content-Type=/(?-i)^(?:a\\.b)$/'"
        )
        #expect(try add([("matchHeader", "X")]) == "when: \"header:X\"")
        #expect(try add([("matchValue", "v")])?.hasSuffix(": the value 'v' of any header") == true)
        let item: KeyValuePairs = [
            "matchHeader": "q", "matchValue": "1", "matchWholeValue": "true", "newHeader": "a", "newValue": "2",
        ]
        #expect(
            try Self.rewrite(8, item) == [
                "when: 'query:/(^|&)q=1(&|$)/'", "request: {query: {add: {a: \"2\"}}}",
            ]
        )
        #expect(
            try Self.rewrite(9, ["matchHeader": "q", "matchValue": "1", "matchWholeValue": "true", "newValue": "2"])
                == [
                    "# not said: items of that name with another value stay; here they go",
                    "when: 'query:/(^|&)q=1(&|$)/'", "request: {query: {set: {q: \"2\"}}}",
                ]
        )
        #expect(
            try Self.rewrite(10, ["matchHeader": "a*"]) == [
                "# no rule for 'shop: remove query item a*': the name 'a*', in which * is itself"
            ]
        )
        #expect(
            try Self.rewrite(6, ["matchWholeValue": "true", "newValue": "https://b.test"]) == [
                "send: {to: \"https://b.test\"}", "request: {target: \"/\"}",
            ]
        )
    }

    @Test("A new host keeps the port of the set's places, and places that no query selects are said to be lost")
    func ports() throws {
        func set(_ host: String) throws -> [String] {
            try ImportedSample(
                """
                <rewriteSet><name>n</name><hosts><locationMatch><location><protocol>https</protocol><host>\(host)</host><port>8443</port>
                </location></locationMatch></hosts><rules><rewriteRule><ruleType>4</ruleType><newValue>b.test</newValue></rewriteRule></rules>
                </rewriteSet>
                """
            ).actions
        }
        #expect(try set("a.test").last == "send: {to: \"https://b.test:8443\"}")
        let range = "the place 'https://shop[12].test:8443', in which [ ] is one of several signs"
        #expect(try set("shop[12].test") == ["# no rule for 'n: host b.test': \(range)"])
        let off = try ImportedSample(
            "<blacklist><locationMatch><location><host>a.test</host></location><enabled>false</enabled></locationMatch></blacklist>"
        )
        #expect(off.actions.last == "note: \"it was off in Charles\"")
        let files = try ImportedSample(
            "<mapLocalMapping><sourceLocation><path>/*.css</path></sourceLocation><dest>/no/such</dest></mapLocalMapping>"
        )
        #expect(files.rules.isEmpty)
    }

    /// A mapping with a path to a directory or a file of another server.
    private static let mappings: [(String, String, [String])] = [
        // The first is a real export.
        ("/path/*", "<host>b.test</host><path>/path/</path>", ["send: {to: \"https://b.test\"}"]),
        ("/*", "<host>b.test</host><path>/</path>", ["send: {to: \"https://b.test\"}"]),
        ("/*", "<host>b.test</host><path>/dev/</path>", ["send: {to: \"https://b.test/dev/\"}"]),
        ("/path/*", "<host>b.test</host>", ["send: {to: \"https://b.test\"}"]),
        ("/a", "<path>/b</path>", ["request: {path: \"/b\"}"]),
        ("/path/*", "<host>b.test</host><path>/</path>", ["# no rule: a path / in the place of /path/*"]),
        ("/*.php", "<host>b.test</host><path>/dev/</path>", ["# no rule: a path /dev/ in the place of /*.php"]),
        ("/a", "", ["# no rule: it sends requests where they go without it"]),
    ]

    @Test("A mapping from directory to directory keeps what follows", arguments: mappings)
    func directories(_ path: String, _ target: String, _ lines: [String]) throws {
        let sample = try ImportedSample(
            """
            <map><mapMapping><sourceLocation><protocol>https</protocol><host>a.test</host><path>\(path)</path></sourceLocation>
            <destLocation>\(target)</destLocation></mapMapping></map>
            """
        )
        let found = sample.actions.filter { !$0.hasPrefix("when: ") }
            .map { $0.replacing(/no rule for '.*?'/, with: "no rule") }
        #expect(found == lines)
    }

    @Test(
        "A mapping to another scheme alone takes the usual port of that scheme in the place of the other's",
        arguments: [
            ("http", "80", "https", ""), ("https", "443", "http", ""), ("http", "8080", "https", ":8080"),
            ("https", "80", "https", ":80"),
        ]
    )
    func schemes(_ scheme: String, _ port: String, _ other: String, _ end: String) throws {
        let sample = try ImportedSample(
            """
            <map><mapMapping><sourceLocation><protocol>\(scheme)</protocol><host>a.test</host><port>\(port)</port></sourceLocation>
            <destLocation><protocol>\(other)</protocol></destLocation></mapMapping></map>
            """
        )
        #expect(sample.actions.filter { !$0.hasPrefix("when: ") } == ["send: {to: \"\(other)://a.test\(end)\"}"])
    }

    @Test("A set for several places is for each of those that are on, and a rule that was off says so")
    func places() throws {
        func location(_ inner: String, _ isOn: Bool = true) -> String {
            "<locationMatch><location>\(inner)</location><enabled>\(isOn)</enabled></locationMatch>"
        }
        let one = location("<protocol>https</protocol><host>*.a.test</host><port>443</port><path>/v2/*</path>")
        let two = location("<host>b.test</host><query>x=? y</query>")
        let sample = try ImportedSample(
            """
            <rewriteSet><active>false</active><name>n</name><hosts>\(one)\(two)\(location("<host>c.test</host>", false))</hosts>
            <rules><rewriteRule><ruleType>8</ruleType><newHeader>a</newHeader><newValue>1</newValue></rewriteRule></rules>
            </rewriteSet>
            """
        )
        #expect(
            sample.actions == [
                "when: '((scheme:https host:/^.*\\.a\\.test$/ port:443 path:/^\\/v2\\/.*$/) or (host:/^b\\.test$/ query:/^x=.\\ y$/))'",
                "request: {query: {add: {a: \"1\"}}}", "note: \"it was off in Charles\"",
            ]
        )
        #expect(sample.summary == "1 rule of Charles")
    }

    @Test("Mappings, the block list and other tools of one export")
    func tools() throws {
        func mapping(_ source: String, _ target: String, _ rest: String = "") -> String {
            "<mapMapping><sourceLocation>\(source)</sourceLocation><destLocation>\(target)</destLocation>\(rest)</mapMapping>"
        }
        let https = "<protocol>https</protocol>"
        let host = "\(https)<host>b.test</host>"
        let sample = try ImportedSample(
            """
            <charles-export>
            <mapLocal><mappings>
            <mapLocalMapping><sourceLocation><host>a.test</host><path>/s/*</path></sourceLocation><dest>/no/such</dest></mapLocalMapping>
            <mapLocalMapping><sourceLocation><path>/a</path></sourceLocation><dest>C:\\a</dest></mapLocalMapping>
            </mappings></mapLocal>
            <map><mappings>
            \(mapping("<host>a.test</host><path>/</path>", host + "<path>/</path>", "<preserveHostHeader>true</preserveHostHeader>"))
            \(mapping("<host>a.test</host>", host + "<port>81</port><path>/base/*</path>"))
            \(mapping("<path>/one</path>", host + "<path>/two</path>"))
            \(mapping("<path>/one/*</path>", host + "<path>/two/*</path>"))
            </mappings></map>
            <blacklist><locations><locationMatch><location><host>ads.test</host></location></locationMatch></locations>
            <action>0</action></blacklist>
            <throttling><toolEnabled>true</toolEnabled></throttling><noCaching><toolEnabled>false</toolEnabled></noCaching>
            </charles-export>
            """
        )
        #expect(
            sample.actions == [
                "when: 'host:/^a\\.test$/ path:/^\\/s\\/.*$/'",
                "respond: {dir: \"/no/such\", strip: \"/s/\", missing: upstream}",
                "# no rule for 'map local */a': 'C:\\a' is no path of this system",
                "when: 'host:/^ads\\.test$/'", "block: close",
                "when: 'host:/^a\\.test$/ path:/^\\/$/'", "send: {to: \"https://b.test\", keep-host: true}",
                "stop: true",
                "when: 'host:/^a\\.test$/'", "send: {to: \"https://b.test:81/base/\"}", "stop: true",
                "when: 'path:/^\\/one$/'",
                "send: {to: \"https://b.test\"}", "request: {path: \"/two\"}",
                "# no rule for 'map remote */one/*': a path /two/* in the place of /one/*",
                "# no rule for 'Charles' throttling': rules do not do what this tool does",
            ]
        )
        #expect(sample.summary == "5 rules of Charles; 3 others cannot be said")
    }
}
