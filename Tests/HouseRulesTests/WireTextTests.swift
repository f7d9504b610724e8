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

    @Test("Nothing in Proxy takes a peer's bytes for text but by ByteText")
    func texts() throws {
        let files = try Checkout.swiftFiles(under: "Sources/Proxy")
        #expect(!files.isEmpty)
        #expect(files.flatMap(HouseRules.unmeasuredWireText) == [])
    }

    @Test("Bytes that are taken for text are found")
    func offendingTexts() {
        let text = """
            String(decoding: a, as: UTF8.self)
            String(buffer: a)
            b.getString(at: 0, length: 1)
            ByteText.repaired(a)
            String(validating: a, as: UTF8.self) != nil
            """
        for (path, lines) in [("Proxy/HTTP/A", [1, 2, 3]), ("Proxy/Origin/A", []), ("Lenses/A", [])] {
            let file = SourceFile(path: "Sources/\(path).swift", text: text)
            #expect(HouseRules.unmeasuredWireText(file).map(\.line) == lines)
        }
    }
}
