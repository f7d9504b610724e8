import Testing
import Traffic

@testable import Lenses

@Suite("Labels of host names that stand for others", .timeLimit(.minutes(15)))
struct HostLabelTests {
    /// Labels, each behind its `xn--`, and what can be told of them.
    private static let labels: [(String, SchemaVerdict)] = [
        // Examples of RFC 3492 §7.1: Chinese, Czech, Hebrew, Russian, Spanish and Japanese, without their marks and capitals.
        ("ihqwcrb4cv8a8dqg056pqjye", .holds), ("proprostnemluvesky-uyb24dma41a", .holds),
        ("4dbcagdahymbxekheh6e0a7fei0b", .holds), ("b1abfaaepdrnnbgefbadotcwatmq2g4l", .holds),
        ("porqunopuedensimplementehablarenespaol-fmd56a", .holds), ("3B-ww4c5e180e575a65lsy2b", .holds),
        ("d9juau41awczczp", .holds), ("BCHER-KVA", .holds), ("zca", .holds), ("o39a", .holds),
        // No Punycode: an end too early, a count beyond any scalar, a surrogate.
        ("b", .fails), ("X", .fails), ("99999999", .fails), (String(repeating: "z", count: 59), .fails),
        ("\(String(repeating: "a", count: 58))-", .fails), ("abc-", .fails), ("", .fails), ("-k8j5u", .fails),
        // Another label is written otherwise: capitals, an accent by itself, a letter of mathematics, controls.
        ("wca", .fails), ("u-ccb", .fails), ("gz1h", .fails), ("abc", .fails),
        // No letters: a star, a snowman, a private character, no character at all, an old jamo.
        ("a-4xp", .fails), ("n3h", .fails), ("a-so7g", .fails), ("266c", .fails), ("ypd", .fails),
        // Hyphens at the ends, and in the third and fourth place.
        ("---eha", .fails), ("---dha", .fails), ("ab---3ra", .fails), ("aa---o47jg78q", .fails),
        // Marks at the beginning: of each category.
        ("hello-txk", .fails), ("hello-zed", .fails), ("hello-6bf", .fails),
        // What RFC 5892 §2.6 says one by one.
        ("zca29lwxobi7a", .holds), ("qmbc", .holds), ("chb89f", .fails), ("07jceefgh4c", .fails),
        ("07jt112bpxg", .fails),
        // A dot between two l's alone.
        ("ll-0ea", .holds), ("al-0ea", .fails), ("la-0ea", .fails), ("l-fda", .fails), ("l-gda", .fails),
        // A numeral sign before Greek, geresh and gershayim behind Hebrew.
        ("wva3je", .holds), ("S-jib3p", .fails), ("wva3j", .fails), ("4dbc5h", .holds), ("A-2hc5h", .fails),
        ("5db1e", .fails), ("4dbc8h", .holds), ("A-2hc8h", .fails), ("5db3e", .fails),
        // A dot beside kana or Han.
        ("k8j5u", .holds), ("bck0j", .holds), ("vek778f", .holds), ("vek", .fails), ("defabc-k64e", .fails),
        // Digits of one Arabic kind.
        ("ngba1o", .holds), ("0-gyc", .holds), ("ngb6iyr", .fails),
        // Joiners behind a virama, and a non-joiner between letters that join.
        ("11b2ezcw70k", .holds), ("11b2ezcs70k", .holds), ("ngba5hb2804a", .holds), ("11b2er09f", .fails),
        ("02b508i", .fails), ("ab-j1t", .fails),
        // Both ways of writing in one label, and a digit before Hebrew.
        ("a-zhc", .fails), ("1-0hc", .fails), ("1-zhc", .holds),
        // No character yet: a later Unicode may have it.
        ("a-qib", .unknown),
    ]

    @Test("What stands for a label that may be registered holds, and what stands for none fails", arguments: labels)
    func verdicts(code: String, verdict: SchemaVerdict) throws {
        let label = try #require(ALabel("xn--\(code)"))
        #expect(label.verdict == verdict)
    }

    @Test(
        "A host name and a mailbox are what the worst of their labels is",
        arguments: [
            (.hostname, "xn--9n2bp8q.xn--9t4b11yi5a", .holds), (.hostname, "a.XN--bcher-kva.test", .holds),
            (.hostname, "xn--bcher-kva.xn--a-qib", .unknown), (.hostname, "xn--a-qib.xn--b", .fails),
            (.hostname, "-a.xn--a-qib", .fails), (.hostname, "xn--b.test", .fails), (.hostname, "xn.xn-b", .holds),
            (.email, "a@xn--bcher-kva.test", .holds), (.email, "a@xn--b.test", .fails),
            (.email, "xn--b@a.test", .holds), (.email, "\"x@xn--b\"@a.test", .holds),
            (.email, "a@xn--a-qib.test", .unknown), (.email, "a@[127.0.0.1]", .holds),
            // A URI's host may be a name of any kind (RFC 3986 §3.2.2).
            (.uri, "http://xn--b/", .holds),
        ] as [(SchemaFormat, String, SchemaVerdict)]
    )
    func names(format: SchemaFormat, name: String, verdict: SchemaVerdict) {
        #expect(format.verdict(on: name) == verdict)
        #expect(format.holds(name) == (verdict == .holds))
    }

    @Test("What a label stands for is read as it is written")
    func decoding() {
        #expect(Punycode.decode(Array("bcher-kva".utf8)[...]) == Array("bücher".unicodeScalars))
        #expect(Punycode.decode(Array("ihqwcrb4cv8a8dqg056pqjye".utf8)[...]) == Array("他们为什么不说中文".unicodeScalars))
        #expect(Punycode.decode(Array("--->-$1.00-<--".utf8)[...]) == Array("--->-$1.00-<-".unicodeScalars))
        // A text that is longer than a label is not looked at.
        #expect(Punycode.decode(Array(repeating: UInt8(ascii: "a"), count: 63)[...])?.count == 63)
        #expect(Punycode.decode(Array(repeating: UInt8(ascii: "a"), count: 64)[...]) == nil)
    }

    @Test("A megabyte of labels is no host name, and their work is counted")
    func work() throws {
        let long = Array(repeating: "xn--bcher-kva", count: 80_000).joined(separator: ".")
        #expect(SchemaFormat.hostname.verdict(on: long) == .fails)
        #expect(SchemaFormat.email.verdict(on: "a@" + long) == .fails)
        #expect(SchemaFormat.hostname.cost(of: long) == long.utf8.count)
        let name = Array(repeating: "xn--bcher-kva", count: 18).joined(separator: ".")
        #expect(SchemaFormat.hostname.cost(of: name) == name.utf8.count + 18 * ALabel.cost)
        #expect(SchemaFormat.email.cost(of: "xn--b@a.test") == 12)

        let schema = try JSONReader.value(Array(#"{"items": {"format": "hostname"}}"#.utf8))
        var reader = SchemaReader(DocumentTree(root: schema, isOld: false))
        let number = try reader.read(schema, "#")
        let names = JSONValue.array(Array(repeating: .string(name), count: 1_000))
        var judge = SchemaJudge(reader.table, workLimit: 100_000)
        #expect(judge.verdict(on: names, by: number) == .unknown && judge.isExhausted)
        let plain = JSONValue.array(Array(repeating: .string(name.replacing("xn-", with: "xxx")), count: 1_000))
        judge = SchemaJudge(reader.table, workLimit: 100_000)
        #expect(judge.verdict(on: plain, by: number) == .holds && !judge.isExhausted)
    }
}
