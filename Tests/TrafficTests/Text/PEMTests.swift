import Testing
import Traffic

@Suite("Certificates are PEM and back", .timeLimit(.minutes(15)))
struct PEMTests {
    @Test(
        "Lines have 64 digits, the last as many as are left, and each ends in a line feed",
        arguments: [(0, []), (1, [4]), (47, [64]), (48, [64]), (49, [64, 4]), (96, [64, 64]), (100, [64, 64, 8])]
    )
    func lines(_ count: Int, _ lengths: [Int]) {
        let der = [UInt8](repeating: 0xA5, count: count)
        let lines = PEM.text(der).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "-----BEGIN CERTIFICATE-----")
        #expect(lines.suffix(2) == ["-----END CERTIFICATE-----", ""])
        #expect(lines.dropFirst().dropLast(2).map(\.utf8.count) == lengths)
        #expect(PEM.certificate(PEM.text(der)) == der)
    }

    @Test("A label of another kind stands in both lines, and its text holds no certificate")
    func labels() {
        let key = PEM.text([1, 2, 3], label: "PRIVATE KEY")
        #expect(key == "-----BEGIN PRIVATE KEY-----\nAQID\n-----END PRIVATE KEY-----\n")
        #expect(PEM.certificates(key).isEmpty && PEM.certificate(key) == nil)
    }

    /// A text as it comes, the certificates that are in it, and whether it is one certificate and nothing more.
    struct Row: CustomTestStringConvertible, Sendable {
        let text: String
        let held: [[UInt8]]
        var isOne = false

        var testDescription: String { text.debugDescription }
    }

    private static let one = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"

    @Test(
        "The certificates of a text are found whatever stands round them",
        arguments: [
            Row(text: one, held: [[1, 2, 3]], isOne: true),
            Row(text: one.replacing("\n", with: "\r\n"), held: [[1, 2, 3]], isOne: true),
            Row(text: "\n\n" + one.replacing("AQID", with: "AQ\n ID\t"), held: [[1, 2, 3]], isOne: true),
            Row(text: one + one, held: [[1, 2, 3], [1, 2, 3]]),
            Row(text: "subject: a\n" + one, held: [[1, 2, 3]]),
            Row(text: one + "more", held: [[1, 2, 3]]),
            Row(text: PEM.text([9], label: "PRIVATE KEY") + one, held: [[1, 2, 3]]),
            Row(text: one.replacing("AQID", with: "A*ID") + one.replacing("AQID", with: "BA=="), held: [[4]]),
            Row(text: one.replacing("AQID", with: "A*ID"), held: []),
            Row(text: one.replacing("AQID", with: "BA"), held: []),
            Row(text: "-----BEGIN CERTIFICATE-----\nAQID\n", held: []),
            Row(text: "-----END CERTIFICATE-----\nAQID\n-----BEGIN CERTIFICATE-----", held: []),
            Row(text: "AQID", held: []), Row(text: "", held: []),
            Row(text: "-----BEGIN CERTIFICATE-----", held: []),
        ]
    )
    func reads(_ row: Row) {
        #expect(PEM.certificates(row.text) == row.held)
        #expect(PEM.certificate(row.text) == (row.isOne ? row.held.first : nil))
    }
}
