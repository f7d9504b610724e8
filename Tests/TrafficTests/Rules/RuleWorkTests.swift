import NIOCore
import Support
import Testing

@testable import Traffic

/// Rules files and clients that together would keep an event loop for minutes.
@Suite("What takes a rule too much work", .timeLimit(.minutes(15)))
struct RuleWorkTests {
    private static func scope(_ exchange: RuledExchange = RuledExchange()) throws -> TemplateScope {
        try TemplateScope(exchange, now: 0, needsBody: false, generator: RuleDice(seed: 1))
    }

    /// Numbers that are counted.
    private final class CountedDice: RandomNumberGenerator {
        private(set) var count: UInt64 = 0

        func next() -> UInt64 {
            count += 1
            return count
        }
    }

    private static func items(_ count: Int) -> [QueryEdit.Item] {
        (0..<count).map { QueryEdit.Item(name: "k\($0)", value: Template(plain: "v")) }
    }

    /// Pattern and name that are compared byte for byte, again and again.
    private static let glob = NameGlob("*" + String(repeating: "a", count: 2_000) + "b", ignoresCase: false)
    private static let tooMuch = RuleFault("to look for the names takes too much work on this message")

    @Test("Many items that are set in a long form are looked for once")
    func forms() throws {
        let form = Array(String(repeating: "a=1&", count: 16_000).utf8)
        func time(_ count: Int) throws -> Double {
            var (edit, changes, work) = (FormEdit(), BodyChanges(), EditWork(EditWork.bodyLimitBytes))
            edit.set = Self.items(count)
            var edited: [UInt8] = []
            let time = try ThreadTime.of { edited = try edit.apply(to: form, &changes, &work) }
            #expect(edited.count == form.count + edit.set.reduce(0) { $0 + $1.name.utf8.count + 3 })
            return time
        }
        #expect(try time(2_000) < time(1) * 50)
    }

    @Test("So are those of a query")
    func queries() throws {
        let target = "/q?" + String(repeating: "a&", count: 28_000) + "z"
        func time(_ count: Int) throws -> Double {
            var (edit, scope) = (QueryEdit(), try Self.scope())
            edit.set = Self.items(count)
            var edited = ""
            let time = try ThreadTime.of { edited = try edit.apply(to: target, &scope).target }
            #expect(edited.hasSuffix("&k\(count - 1)=v"))
            return time
        }
        #expect(try time(300) < time(1) * 20)
    }

    @Test("A form of nothing but separators is not split before it is refused")
    func separators() {
        var edit = FormEdit()
        edit.set = Self.items(1)
        func time(_ form: [UInt8]) -> Double {
            var (changes, work) = (BodyChanges(), EditWork(EditWork.bodyLimitBytes))
            return ThreadTime.of { _ = try? edit.apply(to: form, &changes, &work) }
        }
        let count = 4 << 20
        let one = time(Array("a=".utf8) + [UInt8](repeating: UInt8(ascii: "a"), count: count))
        #expect(time([UInt8](repeating: UInt8(ascii: "&"), count: count)) < one)
    }

    @Test("An item that is set again is one item, and one that was removed is added at the end")
    func order() throws {
        var (edit, scope) = (QueryEdit(), try Self.scope())
        edit.remove = [NameGlob("c", ignoresCase: false)]
        edit.set = ["a", "n", "c", "n"].enumerated().map {
            QueryEdit.Item(name: $0.element, value: Template(plain: "\($0.offset)"))
        }
        edit.add = [QueryEdit.Item(name: "a", value: Template(plain: "4"))]
        let (target, changes) = try edit.apply(to: "/?c=1&a=1&b&a=2&c", &scope)
        #expect(target == "/?a=0&b&n=3&c=2&a=4")
        #expect(changes.text == "query c removed ×2, query a, query n added, query c added, query n, query a added")
    }

    @Test("A pattern that is compared with a name byte for byte, again and again, is given up")
    func globs() throws {
        let name = String(repeating: "a", count: 200_000)
        var (form, changes, work) = (FormEdit(), BodyChanges(), EditWork(EditWork.bodyLimitBytes))
        form.remove = [Self.glob]
        #expect(throws: Self.tooMuch) { try form.apply(to: Array(name.utf8), &changes, &work) }
        var (query, scope) = (QueryEdit(), try Self.scope())
        query.remove = [Self.glob]
        #expect(throws: Self.tooMuch) { try query.apply(to: "/?\(name)", &scope) }
        var (fields, head) = (FieldEdit(), HeadLines(head: ByteBuffer(string: "GET / HTTP/1.1\r\n\(name): 1\r\n\r\n")))
        fields.remove = [Self.glob]
        scope = try Self.scope()
        #expect(throws: Self.tooMuch) { try fields.apply(to: &head, &scope) }
        // What is honest has its work.
        form.remove = [NameGlob("utm_*", ignoresCase: false)]
        work = EditWork(EditWork.bodyLimitBytes)
        #expect(try form.apply(to: Array(name.utf8), &changes, &work).count == 200_000)
    }

    @Test("An edit for which nobody waits any more ends")
    func unwanted() {
        var (form, changes, work) = (FormEdit(), BodyChanges(), EditWork(EditWork.bodyLimitBytes) { false })
        form.set = Self.items(1)
        #expect(throws: RuleFault.self) { try form.apply(to: Array("a=1".utf8), &changes, &work) }
    }

    @Test("A target with many segments, items and cookies is split once, however many values stand in a template")
    func values() throws {
        let many = String(repeating: "/a", count: 20_000)
        let exchange = RuledExchange(
            "GET",
            "a.test",
            "\(many)?\(String(repeating: "q=1&", count: 5_000))",
            fields: ["Cookie: \(String(repeating: "c=1;", count: 5_000))"] + Array(repeating: "Y: 1", count: 5_000) + [
                "X-A: 1"
            ]
        )
        for name in ["path.1", "query.q", "cookie.c", "reqheader.x-a"] {
            func time(_ count: Int) throws -> Double {
                var scope = try Self.scope(exchange)
                let template = try Template(String(repeating: "${\(name)}", count: count))
                var text = ""
                let time = ThreadTime.of { text = scope.text(template) }
                #expect(text.utf8.count == count)
                return time
            }
            #expect(try time(500) < time(1) * 100, "\(name)")
        }
    }

    @Test("No value is made of a text that would be too long, and no more of them than there is work for")
    func rendering() throws {
        let uuids = try Template(String(repeating: "<${uuid}", count: 1_400))
        let bomb = JSONTemplate.array(Array(repeating: .string(uuids), count: 1_000))
        #expect(bomb.leastBytes == 1_400 * 37 * 1_000)
        let dice = CountedDice()
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: dice)
        #expect(bomb.bytes(&scope).isEmpty && bomb.filled(&scope) == .literal("null"))
        #expect(dice.count == 0, "Nothing was made")
        #expect(throws: RuleFault.self) { try scope.check() }
        // What is near the limit ends with the work.
        scope.begin(count: 1)
        _ = JSONTemplate.array(Array(repeating: .string(uuids), count: 300)).bytes(&scope)
        #expect(throws: TemplateScope.tooMuch) { try scope.check() }
        #expect((400_000...600_000).contains(dice.count), "Each takes two numbers")
        scope.begin(count: 1)
        #expect(scope.text(uuids).isEmpty, "There is none left")
    }

    @Test("The texts of numbers and of names count, and what a quoted text is longer than its value")
    func counted() throws {
        let name = String(repeating: "n", count: 1 << 20)
        let names = JSONTemplate.object(Array(repeating: .init(name: name, value: .literal("1")), count: 17))
        let numbers = JSONTemplate.array(Array(repeating: .literal(String(repeating: "1", count: 1 << 20)), count: 17))
        let marks = JSONTemplate.array(
            Array(repeating: .string(Template(plain: String(repeating: "\u{1}", count: 1 << 20))), count: 4)
        )
        for json in [names, numbers, marks] {
            var scope = try Self.scope()
            #expect(json.bytes(&scope).count < 20 << 20)
            #expect(throws: RuleFault.self) { try scope.check() }
        }
    }

    @Test("A long query is read once, however many rules edit it")
    func queriesOften() throws {
        let first = "/q?" + String(repeating: "a&", count: 28_000) + "z"
        func time(_ count: Int) throws -> Double {
            var (scope, target) = (try Self.scope(), first)
            return try ThreadTime.of {
                for number in 0..<count {
                    var edit = QueryEdit()
                    edit.set = [QueryEdit.Item(name: "k\(number)", value: Template(plain: "v"))]
                    target = try edit.apply(to: target, &scope).target
                    #expect(target.hasSuffix("&k\(number)=v"))
                }
            }
        }
        #expect(try time(60) < time(1) * 40)
        // Also where nothing is changed.
        var (same, none) = (try Self.scope(), QueryEdit())
        none.remove = [NameGlob("b", ignoresCase: false)]
        for _ in 0..<60 { #expect(try none.apply(to: first, &same).target == first) }
        var (one, more) = (QueryEdit(), QueryEdit())
        (one.remove, more.add) = ([NameGlob("a", ignoresCase: false)], Self.items(1))
        let rest = try one.apply(to: "/p?a=1&", &same).target
        #expect(try more.apply(to: rest, &same).target == "/p?k0=v")
        // One that another rule has changed is read again, as often as there is work for.
        var (scope, edit) = (try Self.scope(), QueryEdit())
        edit.set = Self.items(1)
        #expect(throws: RuleFault("to read the query again and again takes too much work on this request")) {
            for number in 0..<60 { _ = try edit.apply(to: "\(first)&\(number)", &scope) }
        }
        var (head, fields) = (HeadLines(head: ByteBuffer(string: "GET / HTTP/1.1\r\nCookie: 1\r\n\r\n")), FieldEdit())
        fields.remove = [NameGlob("cookie", ignoresCase: true)]
        _ = try fields.apply(to: &head, &scope)
        #expect(head.count == 0)
    }

    @Test("A name whose bytes are no UTF-8 is not the name that these bytes would be in Latin-1")
    func latin() throws {
        var (edit, changes, work) = (FormEdit(), BodyChanges(), EditWork())
        edit.set = [QueryEdit.Item(name: "\u{E9}", value: Template(plain: "2"))]
        let form = try edit.apply(to: Array("%E9=1&%C3%A9=0".utf8), &changes, &work)
        #expect(String(decoding: form, as: UTF8.self) == "%E9=1&%C3%A9=2")
        var (query, scope) = (QueryEdit(), try Self.scope())
        query.remove = [NameGlob("\u{E9}", ignoresCase: false)]
        #expect(try query.apply(to: "/?%E9=1&%C3%A9=0", &scope).target == "/?%E9=1")
    }

    @Test("Groups in the text of a replacement take from the work, though each may be empty")
    func groups() throws {
        let with = String(repeating: "${1}", count: 20_000)
        let rule = "{\"replace\": [{\"regex\": \"a(b?)\", \"with\": \"\(with)\"}]}"
        func edited(_ text: String) throws -> RuleUse {
            let exchange = RuledExchange(code: 200, responseFields: ["Content-Type: text/plain"], responseBody: text)
            var run = try #require(RuleRun(RuleList(try RuleTree.body(rule), now: 0), for: exchange.summary))
            guard case .applies(let firings) = try run.judge(.response, at: .responseHead, of: exchange, now: 0),
                let head = exchange.exchange.response?.head
            else { throw RuleFault("the rule does not apply") }
            var scope = try Self.scope()
            var editor = try #require(run.edit(head, .response, by: firings, &scope).bodyEditor)
            _ = editor.edit(whole: ByteBuffer(string: text))
            run.take(editor)
            return try #require(run.uses.first)
        }
        #expect(try edited("a").what == "a(b?)")
        let long = try edited(String(repeating: "a", count: 60_000))
        #expect(long.note == "skipped: the regular expression takes too much work on this text", "\(long)")
    }

    @Test("A long value of the body is read once, however many rules fill it in")
    func longValues() throws {
        let body = "{\"a\": \"\(String(repeating: "\\u0078", count: 100_000))\"}"
        let exchange = RuledExchange("POST", "a.test", "/", fields: ["Content-Type: application/json"], body: body)
        let once = try Template("${json.$.a}")
        func time(_ count: Int) throws -> Double {
            var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
            return try ThreadTime.of {
                for _ in 0..<count {
                    scope.begin(count: 1)
                    #expect(scope.text(once).utf8.count == 100_000)
                    try scope.check()
                }
            }
        }
        #expect(try time(30) < 10 * time(1))
    }

    @Test("What long values cost to write counts for all rules together, and short ones are filled in still")
    func writtenValues() throws {
        let long = String(repeating: "x ", count: 100_000) + "x"
        let exchange = RuledExchange(
            "POST",
            "a.test",
            "/",
            fields: ["Content-Type: application/json", "X-A: \(long)"],
            body: "{\"a\": \"\(long)\"}"
        )
        /// How often a value is filled in before there is too much of it.
        func count(_ fill: (inout TemplateScope) throws -> Void) throws -> Int {
            var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
            for count in 0..<1_000 {
                scope.begin(count: 1)
                try? fill(&scope)
                do throws(RuleFault) {
                    try scope.check()
                } catch {
                    #expect(error == TemplateScope.tooMuch)
                    scope.begin(count: 1)
                    #expect(scope.text(try Template("${method}")) == "POST")
                    try scope.check()
                    return count
                }
            }
            return .max
        }
        let (json, field) = (try Template("${json.$.a}"), try Template("${reqheader.x-a}"))
        #expect(try (10...42).contains(count { _ = $0.text(json, in: .json) }))
        #expect(try (10...42).contains(count { _ = $0.text(field, in: .query) }))
        #expect(try (10...42).contains(count { _ = try $0.path(json) }))
        #expect(try (300...340).contains(count { _ = $0.text(json) }))
        // What a body has takes nothing from what is made of the head.
        var both = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
        for _ in 0..<50 {
            both.begin(count: 1)
            _ = both.text(json, in: .path)
            both.begin(count: 1)
            _ = both.text(json, in: .coded)
        }
        #expect(!both.isWhole)
        both.begin(count: 1)
        #expect(!both.text(field, in: .path).isEmpty)
        try both.check()
        var edit = QueryEdit()
        edit.set = [QueryEdit.Item(name: "a", value: field)]
        #expect(try (10...42).contains(count { _ = try edit.apply(to: "/?b", &$0) }))
        var form = FormEdit()
        form.add = edit.set
        #expect(try (10...42).contains(count { _ = form.ready(&$0) }))
        let string = JSONTemplate.string(json)
        #expect(try (10...42).contains(count { _ = string.filled(&$0) }))
        // Nor is there room for what becomes too long where it is encoded.
        edit.set = [QueryEdit.Item(name: "a", value: Template(plain: String(repeating: " ", count: 6 << 20)))]
        var scope = try Self.scope()
        _ = try edit.apply(to: "/?b", &scope)
        let tooLong = RuleFault("its texts would be over 16 MiB with the values of the exchange")
        #expect(throws: tooLong) { try scope.check() }
    }

    @Test("The longest body that is looked into can be filled in whole")
    func longest() throws {
        let body = "{\"a\": \"\(String(repeating: "a", count: (8 << 20) - 9))\"}"
        let exchange = RuledExchange("POST", "a.test", "/", fields: ["Content-Type: application/json"], body: body)
        for place in [TemplatePlace.text, .json] {
            var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
            #expect(scope.text(try Template("${json.$.a}"), in: place).utf8.count == (8 << 20) - 9)
            try scope.check()
        }
        var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
        #expect(scope.text(try Template("${json.$.a}"), in: .coded).utf8.count == (8 << 20) - 9)
        try scope.check()
        // What a rule has of its own costs no such work.
        scope.begin(count: 1)
        #expect(scope.text(Template(plain: String(repeating: "a", count: 10 << 20)), in: .coded).utf8.count == 10 << 20)
        try scope.check()
    }

    @Test("What is looked for in a body keeps no field from being edited, and no short value from being filled in")
    func lookedFor() throws {
        let numbers = String(repeating: "0,", count: 900_000)
        let body = "{\"\\u0061\": \"\(String(repeating: "a", count: 6 << 20))\", \"n\": [\(numbers)0], \"op\": \"x\"}"
        let exchange = RuledExchange("POST", "a.test", "/", fields: ["Content-Type: application/json"], body: body)
        var scope = try TemplateScope(exchange, now: 0, needsBody: true, generator: RuleDice(seed: 1))
        for name in ["a", "t", "u"] {
            scope.begin(count: 1)
            _ = scope.text(try Template("${json.$.\(name)}"))
        }
        #expect(throws: TemplateScope.tooMuch) { try scope.check() }
        scope.begin(count: 1)
        var (edit, head) = (FieldEdit(), HeadLines(head: ByteBuffer(string: "GET / HTTP/1.1\r\nX-A: 1\r\n\r\n")))
        edit.replace = [
            FieldEdit.Replacement(
                name: NameGlob("X-A", ignoresCase: true),
                text: TextReplacement(pattern: .regex(try ReplacedPattern("[0-9]")), with: Template(plain: "2"))
            )
        ]
        _ = try edit.apply(to: &head, &scope)
        try scope.check()
        #expect(head.value(0) == "2")
        // Nor has the whole of the longest body taken what a short value of it needs.
        let longest = "{\"a\": \"\(String(repeating: "a", count: (8 << 20) - 20))\", \"op\": \"x\"}"
        scope = try TemplateScope(
            RuledExchange("POST", "a.test", "/", fields: ["Content-Type: application/json"], body: longest),
            now: 0,
            needsBody: true,
            generator: RuleDice(seed: 1)
        )
        #expect(scope.text(try Template("${json.$}")).utf8.count == 8 << 20)
        scope.begin(count: 1)
        #expect(scope.text(try Template("${json.$.op}")) == "x")
        try scope.check()
    }

    @Test("The edits within a step count where it is asked whether an edit is soon done")
    func quick() throws {
        func isQuick(_ edit: String, _ type: String, _ count: Int = 1_000) throws -> Bool {
            let exchange = RuledExchange(code: 200, responseFields: ["Content-Type: \(type)"], responseBody: "x")
            var run = try #require(RuleRun(RuleList(try RuleTree.body(edit), now: 0), for: exchange.summary))
            guard case .applies(let firings) = try run.judge(.response, at: .responseHead, of: exchange, now: 0),
                let head = exchange.exchange.response?.head
            else { return false }
            var scope = try Self.scope(exchange)
            let editor = run.edit(head, .response, by: firings, &scope).bodyEditor
            return try #require(editor).isQuick(count)
        }
        func members(_ count: Int) -> String { (0..<count).map { "\"k\($0)\": \"v\"" }.joined(separator: ",") }
        func adds(_ count: Int) -> String {
            (0..<count).map { "{\"op\": \"add\", \"path\": \"/k\($0)\", \"value\": 1}" }.joined(separator: ",")
        }
        let long = String(repeating: "a", count: 100)
        let form = "application/x-www-form-urlencoded"
        #expect(try isQuick("{\"form\": {\"set\": {\(members(20))}}}", form))
        #expect(try !isQuick("{\"form\": {\"set\": {\(members(20))}}}", form, 50_000), "It may be all items")
        #expect(try isQuick("{\"json\": {\"patch\": [\(adds(20))]}}", "application/json", 50_000))
        #expect(try !isQuick("{\"form\": {\"set\": {\(members(65))}}}", form))
        #expect(try !isQuick("{\"form\": {\"remove\": [\"*\(long)\"]}}", form))
        #expect(try isQuick("{\"form\": {\"remove\": [\"\(long)\"]}}", form))
        #expect(try isQuick("{\"json\": {\"patch\": [\(adds(20))]}}", "application/json"))
        #expect(try !isQuick("{\"json\": {\"patch\": [\(adds(65))]}}", "application/json"))
        #expect(try !isQuick("{\"json\": {\"merge\": {\"a\": {\(members(65))}}}}", "application/json"))
    }
}
