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
        "Aliases as values, and texts that look like keys of that kind, are read",
        arguments: [
            "a: &a {b: c}\nd: *a\ne: [*a, *a]\nf: {<<: *a, g: 1}", "paths:\n  /a/{b}: &p {c: d}\n  /e/{f}: *p",
            "? long\n: 1\nb: &b 2", "a: &a x\nb: |\n  *Note: this is *important*: so\n  Vraiment ? Oui\nc: *a",
            "a: '&b *c: d'", "a: &a x\nb: \"{*c}: d\"", "a: &a x\nb: [\n ? c: *a]", "a: &a x\nb: see /u{?p}\nc: *a",
            "a: &a x\nb: \"?*a : 1\"",
        ]
    )
    func taken(text: String) throws { #expect(try YAMLNode.compose(text) != nil) }
}
