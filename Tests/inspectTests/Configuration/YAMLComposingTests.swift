import Testing
import Yams

@testable import inspect

@Suite(.timeLimit(.minutes(15)))
struct YAMLComposingTests {
    @Test(
        "A key that is an alias, a list or an object is refused before all behind it is read",
        arguments: [
            "a: &a x\n*a : 1", "a: &a x\nb: {*a: 1}", "a: &a x\nb: {*a:{c: d}}", "a: &a x\n[b, *a]: 1",
            "a: &a x\n{b: *a} : 1", "a: &a x\n? *a\n: 1", "a: &a x\n? - b\n  - *a\n: 1", "a: &a x\nb: [? *a : c]",
            "a: &a x\nb: {?*a : 1}", "a: &a x\nb: [?*a]", "a: &a x\nb: {?[*a]: 1}", "a: &a x\nb: {? !t [*a] : 1}",
            "a: &a x\r*a : 1", "a: &a x\u{85}*a : 1", "a: &a x\u{2028}*a : 1", "a: &a x\u{2029}*a : 1",
            "? {a: b}\n: 1", "--- a\n--- {&a b: {*a : 1}}",
        ]
    )
    func refused(text: String) {
        #expect { try YAMLNode.compose(text) } throws: { error in
            guard let error = error as? YamlError else { return false }
            return YAMLNode.sentence(error).hasPrefix("a key is no text but an alias, a list or an object, at line ")
        }
    }

    @Test(
        "More directives and deeper values than any document has are refused before the parser compares each with all",
        arguments: [
            ("\n", 101, 0, "more than 100 directives"), ("\r", 101, 0, "more than 100 directives"),
            ("\u{85}", 101, 0, "more than 100 directives"), ("\u{2028}", 101, 0, "more than 100 directives"),
            ("\u{2029}", 101, 0, "more than 100 directives"), ("\n", 0, 251, "deeper than 250 at line 2"),
            ("\n", 100, 251, "deeper than 250 at line 102"), ("\n", 100, 250, nil), ("\n", 0, 250, nil),
        ] as [(String, Int, Int, String?)]
    )
    func bounds(lineEnd: String, directives: Int, depth: Int, problem: String?) throws {
        let beginning = (0..<directives).map { "%TAG !a\($0)! b\(lineEnd)" }.joined()
        let lists = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let text = beginning + "---\(lineEnd)\(lists)"
        guard let problem else { return #expect(try YAMLNode.compose(text) != nil) }
        #expect { try YAMLNode.compose(text) } throws: { error in
            (error as? YamlError).map { YAMLNode.sentence($0).contains(problem) } == true
        }
    }

    @Test(
        "Aliases as values, and texts that look like keys of that kind, are read",
        arguments: [
            "a: &a {b: c}\nd: *a\ne: [*a, *a]\nf: {<<: *a, g: 1}", "paths:\n  /a/{b}: &p {c: d}\n  /e/{f}: *p",
            "? long\n: 1\nb: &b 2", "a: &a x\nb: |\n  *Note: this is *important*: so\n  Vraiment ? Oui\nc: *a",
            "a: '&b *c: d'", "a: &a x\nb: \"{*c}: d\"", "a: &a x\nb: [\n ? c: *a]", "a: &a x\nb: see /u{?p}\nc: *a",
            "a: &a x\nb: \"?*a : 1\"", "a: |\n" + String(repeating: "  %x\n", count: 101),
        ]
    )
    func taken(text: String) throws { #expect(try YAMLNode.compose(text) != nil) }
}
