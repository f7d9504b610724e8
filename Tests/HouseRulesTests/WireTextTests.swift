import Testing

/// Text from a wire is never folded as Unicode has it.
@Suite(.timeLimit(.minutes(15))) struct WireTextTests {
    @Test("Nothing in Proxy and Trust folds more than ASCII")
    func sources() throws {
        let files = try ["Proxy", "Trust"].flatMap { try Checkout.swiftFiles(under: "Sources/\($0)") }
        #expect(!files.isEmpty)
        #expect(files.flatMap(HouseRules.foldedWireText) == [])
    }

    @Test("A folding of more than ASCII is found")
    func offending() {
        let text = "a.lowercased()\nb.uppercased( )\na.caseInsensitiveCompare(b)\nASCII.lower(a)\n// lowercased()"
        for (target, lines) in [("Proxy", [1, 2, 3]), ("Trust", [1, 2, 3]), ("Lenses", [])] {
            let file = SourceFile(path: "Sources/\(target)/A.swift", text: text)
            #expect(HouseRules.foldedWireText(file).map(\.line) == lines)
        }
    }
}
