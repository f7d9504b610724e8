import Testing

@Suite(.timeLimit(.minutes(15))) struct ManifestTests {
    @Test("Package.swift declares for each target the modules that its files import, and no others")
    func declared() throws {
        let text = try Checkout.text(at: "Package.swift")
        let files = try Checkout.swiftFiles(under: "Sources") + Checkout.swiftFiles(under: "Tests")
        #expect(Manifest.declared(in: text)["Lenses"] == ["Traffic"])
        #expect(Manifest.differences(between: text, and: files) == [])
    }

    @Test("A module that is imported and not declared is found, and one that is declared and not imported")
    func differences() {
        let text = """
            .target(name: "One", dependencies: ["Two", .product(name: "Three", package: "three")]),
            .testTarget(
                name: "OneTests",
                dependencies: [
                    "One",
                    .product(name: "Four", package: "Four"),
                ],
            ),
            """
        let files = [
            SourceFile(path: "Sources/One/A.swift", text: "package import Two\nimport Foundation"),
            SourceFile(path: "Sources/One/B/C.swift", text: "internal import Five"),
            SourceFile(path: "Tests/OneTests/A.swift", text: "@testable import One\nimport struct Four.A"),
            SourceFile(path: "Tests/More/A.swift", text: "import One"),
        ]
        #expect(
            Manifest.differences(between: text, and: files) == [
                "More imports One and does not declare it", "One declares Three and does not import it",
                "One imports Five and does not declare it",
            ]
        )
    }
}
