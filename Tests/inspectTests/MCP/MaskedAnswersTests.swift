import Foundation
import Synchronization
import Testing
import Traffic

@testable import inspect

/// Secrets that are masked cannot be asked for either: no answer depends on a masked character.
@Suite(.timeLimit(.minutes(15))) struct MaskedAnswersTests {
    private static let secret = "aB3dE6gH9kL2mN5p"
    /// As long as the secret, and like it in nothing.
    private static let other = "zY8xW7vU4tS1rQ0o"

    /// Each asks whether the secret begins with `GUESS`, by another door.
    private static let queries = [
        #"reqheader:authorization="Bearer GUESS""#, #"-reqheader:authorization="Bearer GUESS""#, "GUESS", "-GUESS",
        #"/Bearer GUESS/"#, "body:GUESS", "-body:GUESS", #"reqbody:"password\":\"GUESS""#, "resbody:/token.{3}GUESS/",
        "url:token=GUESS", "-url:token=GUESS", "query:GUESS", "url:*GUESS*", "json:$.password=GUESS*",
        "json:$.access_token=/GUESS.*/", "-json:$.password=GUESS*", "reqheader:cookie=a=GUESS",
        "resheader:set-cookie=GUESS", "header:/cookie.*GUESS/", "message:GUESS", "-message:GUESS", "note:GUESS",
        #"process:"*GUESS*""#, "-process:/GUESS/", "(path:/plain or body:GUESS)", "-(path:/plain or body:GUESS)",
        "code:200 body:GUESS", "method:POST -(-body:GUESS)", "/<token|<password|GUESS/",
        "/<token.*moon|GUESS.*moon/", "id:1..3 (body:GUESS or path:/broken)",
    ]

    private static func arguments(_ query: String, _ more: String = "") -> String {
        let text = query.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "{\"query\":\"\(text)\"\(more)}"
    }

    /// Every call of every tool by which a guess may be tried.
    private static let calls: [(tool: String, arguments: String)] =
        ["filter", "search", "stats", "check", "replay"].flatMap { tool in
            queries.map { (tool, arguments($0)) }
        } + [
            ("filter", arguments("body:GUESS", #","limit":0"#)), ("search", arguments("GUESS", #","limit":1"#)),
            ("search", arguments("body:GUESS", #","after":4"#)), ("check", arguments("GUESS", #","rules":["VM"]"#)),
        ]

    @Test("Two stores that differ in a secret alone answer every question alike, right guesses and wrong ones")
    func guesses() async throws {
        let stores = [try await MaskedStore(secret: Self.secret), try await MaskedStore(secret: Self.other)]
        var telling = 0
        for guess in [String(Self.secret.prefix(1)), String(Self.secret.prefix(7)), Self.secret] {
            for call in Self.calls {
                let arguments = call.arguments.replacing("GUESS", with: guess)
                let answers = [
                    await stores[0].answer(call.tool, arguments), await stores[1].answer(call.tool, arguments),
                ]
                #expect(answers[0] == answers[1], "\(call.tool) \(arguments)")
                let open = [
                    await stores[0].answer(call.tool, arguments, isMasked: false),
                    await stores[1].answer(call.tool, arguments, isMasked: false),
                ]
                if open[0] != open[1] { telling += 1 }
            }
        }
        // Where nothing is masked the guesses do tell, or this would show nothing.
        #expect(telling > Self.calls.count)
    }

    @Test(
        "What only a later exchange names as a secret is masked in an earlier one, and cannot be guessed there either"
    )
    func namedLate() async throws {
        let stores = [
            try await MaskedStore(secret: Self.secret, naming: .late),
            try await MaskedStore(secret: Self.other, naming: .late),
        ]
        var telling = 0
        for guess in [String(Self.secret.prefix(1)), String(Self.secret.prefix(7)), Self.secret] {
            for query in ["body:GUESS", "GUESS", "resheader:x-trace=GUESS", "moon -GUESS"] {
                for tool in ["filter", "search"] {
                    let arguments = Self.arguments(query.replacing("GUESS", with: guess))
                    let answers = [await stores[0].answer(tool, arguments), await stores[1].answer(tool, arguments)]
                    #expect(answers[0] == answers[1], "\(tool) \(arguments)")
                    let open = [
                        await stores[0].answer(tool, arguments, isMasked: false),
                        await stores[1].answer(tool, arguments, isMasked: false),
                    ]
                    if open[0] != open[1] { telling += 1 }
                }
            }
        }
        #expect(telling > 10)
        let found = await stores[0].answer("search", #"{"query":"moon"}"#)
        #expect(!found.contains(Self.secret.prefix(4)), "\(found)")
        let open = await stores[0].answer("stats", "{}", isMasked: false)
        #expect(open.contains(Self.secret), "\(open)")
        for tool in ["stats", "check"] {
            let answer = await stores[0].answer(tool, "{}")
            #expect(!answer.contains(Self.secret.prefix(4)), "\(tool): \(answer)")
        }
    }

    @Test(
        "Statistics learn the secrets beside a body that is too large to be read, and those in its exchange's head",
        arguments: [MaskedStore.Naming.beforeLarge, .inLarge]
    )
    func large(_ naming: MaskedStore.Naming) async throws {
        let store = try await MaskedStore(secret: Self.secret, naming: naming)
        var bounds = AgentStore.Bounds()
        bounds.bodyBytes = Int64(MaskedStore.largeBytes) - 1
        let open = await store.answer("stats", "{}", isMasked: false, bounds: bounds)
        #expect(open.contains(Self.secret), "\(open)")
        let answer = await store.answer("stats", "{}", bounds: bounds)
        #expect(try object(answer)["count"]?.integer == (naming == .inLarge ? 2 : 3))
        #expect(!answer.contains(Self.secret.prefix(4)), "\(answer)")
    }

    @Test("What refuses a question does not depend on a secret either")
    func refusals() async throws {
        let stores = [try await MaskedStore(secret: Self.secret), try await MaskedStore(secret: Self.other)]
        for query in Self.queries {
            let arguments = Self.arguments(query.replacing("GUESS", with: String(Self.secret.prefix(7))))
            var bounds = AgentStore.Bounds()
            bounds.exchanges = 2
            let answers = [
                await stores[0].answer("filter", arguments, bounds: bounds),
                await stores[1].answer("filter", arguments, bounds: bounds),
            ]
            #expect(answers[0] == answers[1], "\(query)")
        }
    }

    @Test("What is shown and listed names no secret")
    func shown() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        for (tool, arguments) in [
            ("filter", "{}"), ("stats", "{}"), ("check", "{}"), ("search", #"{"query":"moon"}"#),
            ("search", #"{"query":"token"}"#), ("show", #"{"id":1}"#), ("show", #"{"id":3}"#), ("show", #"{"id":4}"#),
            ("show", #"{"id":5}"#), ("show", #"{"id":6}"#), ("show", #"{"id":1,"body_offset":10,"body_limit":20}"#),
        ] {
            let answer = await store.answer(tool, arguments)
            #expect(!answer.contains(Self.secret.prefix(4)), "\(tool) \(arguments): \(answer)")
            #expect(try JSONReader.value(Array(answer.utf8)).isObject, "\(answer)")
        }
    }

    private func object(_ text: String) throws -> JSONValue { try JSONReader.value(Array(text.utf8)) }

    @Test("What is no secret is found, counted and paged as everywhere")
    func found() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        let search = try object(await store.answer("search", #"{"query":"resbody:moon"}"#))
        #expect(search["total"]?.integer == 6 && search["matched"]?.integer == 3)
        #expect(search["exchanges"]?.elements?.compactMap { $0["id"]?.integer } == [5, 2, 1])
        let matches = search["exchanges"]?.elements?.map { $0["matches"]?.elements?.first?["where"]?.string }
        #expect(matches == ["response body", "response body", "response body"])

        let filter = try object(await store.answer("filter", #"{"query":"moon","limit":2}"#))
        #expect(filter["exchanges"]?.elements?.compactMap { $0["id"]?.integer } == [5, 2])
        #expect(filter["next"]?.integer == 2)
        let methods = filter["facets"]?["method"]?.elements ?? []
        #expect(methods.map { $0["value"]?.string } == ["GET", "POST"])
        #expect(methods.map { $0["count"]?.integer } == [2, 1])
        let rest = try object(await store.answer("filter", #"{"query":"moon","limit":2,"after":2}"#))
        #expect(rest["exchanges"]?.elements?.compactMap { $0["id"]?.integer } == [1])
        #expect(rest["next"]?.string == nil && rest["next"]?.integer == nil)

        let named = try object(await store.answer("filter", #"{"query":"5 1..2"}"#))
        #expect(named["exchanges"]?.elements?.compactMap { $0["id"]?.integer } == [5, 2, 1])

        let plain = try object(await store.answer("filter", #"{"query":"method:GET"}"#))
        #expect(plain["matched"]?.integer == 5)
        #expect(try object(await store.answer("stats", #"{"query":"moon"}"#))["count"]?.integer == 3)
        #expect(try object(await store.answer("check", #"{"query":"moon"}"#))["exchanges"]?.integer == 3)
    }

    @Test("A question about texts that would take too much is refused in one line that says how to narrow it")
    func tooMuch() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        var bounds = AgentStore.Bounds()
        bounds.exchanges = 2
        let many = await store.answer("filter", #"{"query":"moon"}"#, bounds: bounds)
        #expect(many.contains("selects 6: narrow it") && !many.contains("\n"), "\(many)")
        let few = await store.answer("filter", #"{"query":"moon id:1..2"}"#, bounds: bounds)
        #expect(try object(few)["matched"]?.integer == 2)
        // What looks at no text is not bounded.
        let plain = await store.answer("filter", #"{"query":"code:200","limit":0}"#, bounds: bounds)
        #expect(try object(plain)["matched"]?.integer == 5)
        bounds = AgentStore.Bounds()
        bounds.bodyBytes = 10
        let large = await store.answer("search", #"{"query":"moon"}"#, bounds: bounds)
        #expect(large.contains("of bodies: narrow it"), "\(large)")
    }

    @Test(
        "Requests go only to origins that are in the store, and under no other Host",
        arguments: [
            (#""to":"http://evil.test""#, "nothing is recorded of http://evil.test"),
            (#""to":"http://api.example.test""#, "nothing is recorded of"),
            (#""to":"https://api.example.test:8443""#, "nothing is recorded of"),
            (#""to":"https://example.test""#, "nothing is recorded of"),
            (#""headers":["hOST: evil.test"]"#, "leave it out"),
            (#""to":"https://API.example.test/base""#, "no proxy is running"),
            (#""method":"PUT""#, "no proxy is running"),
        ]
    )
    func origins(_ edit: String, _ words: String) async throws {
        let store = try await MaskedStore(secret: Self.secret)
        for isMasked in [true, false] {
            let answer = await store.answer("replay", #"{"query":"id:2",\#(edit)}"#, isMasked: isMasked)
            #expect(answer.contains(words), "\(edit): \(answer)")
        }
    }

    @Test(
        "An answer that takes too long is given up, also where nothing has to be masked",
        arguments: [
            ("filter", "moon", true), ("stats", "", true), ("check", "", true), ("stats", "", false),
            ("stats", "moon", false), ("check", "", false),
        ]
    )
    func tooLong(_ tool: String, _ query: String, isMasked: Bool) async throws {
        let store = try await MaskedStore(secret: Self.secret)
        let calls = Mutex(0)
        let start = ContinuousClock.now
        let answer = await store.answer(tool, #"{"query":"\#(query)"}"#, isMasked: isMasked) {
            start
                + .seconds(
                    calls.withLock { calls in
                        defer { calls += 1 }
                        return calls * 20
                    }
                )
        }
        #expect(answer.contains("this takes longer than"), "\(answer)")
    }

    @Test("What a replay reads is not given up because its answers were waited for")
    func slowAnswers() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        #expect(try store.compared([1, 2, 5], after: AgentStore.Bounds().time) == [1, 2, 5])
    }
}
