import Testing

/// The files of the page, held to the rules of their own; each rule is shown a text that breaks it, too.
@Suite(.timeLimit(.minutes(15))) struct PageRulesTests {
    private static func module(_ name: String, _ text: String) -> PageFile {
        PageFile(path: "Sources/Web/Assets/list/\(name)", text: text)
    }

    @Test("No file of the page is longer than 400 lines")
    func lengths() throws {
        let files = try Checkout.pageFiles()
        #expect(Set(files.compactMap { $0.name.split(separator: ".").last }) == ["js", "css", "html"])
        #expect(files.flatMap(HouseRules.length) == [])
    }

    @Test("A module of 401 lines is found, one of 400 is not")
    func offendingLengths() {
        let line = "const a = 1;\n"
        #expect(HouseRules.length(Self.module("a.js", String(repeating: line, count: 400))) == [])
        let found = HouseRules.length(Self.module("a.js", String(repeating: line, count: 401)))
        #expect(found.map(\.line) == [401])
    }

    @Test("No line of a module is longer than 150 characters")
    func widths() throws {
        #expect(try Checkout.pageFiles().flatMap(HouseRules.width) == [])
    }

    @Test("A line of 151 characters is found, one of 150 is not, and a style sheet may have longer ones")
    func offendingWidths() {
        let line = String(repeating: "–", count: 150)
        let file = Self.module("a.js", "\n\(line)\n\(line)+\n")
        #expect(HouseRules.width(file).map(\.line) == [3])
        #expect(HouseRules.width(Self.module("a.css", "\(line)+\n")) == [])
        #expect(HouseRules.width(Self.module("b.js", "")) == [])
    }

    @Test("No module of the page imports itself by way of others")
    func circles() throws {
        let files = try Checkout.pageFiles()
        let app = try #require(files.first { $0.name == "app.js" })
        #expect(app.imports.contains("listing.js") && Set(app.imports).isSubset(of: files.map(\.name)))
        #expect(HouseRules.importCircles(files) == [])
    }

    @Test("A circle of imports is found, however long; modules that share an import are none")
    func offendingCircles() {
        let circle = [
            Self.module("a.js", "import * as b from \"./b.js\";\n"),
            Self.module("b.js", "import { c } from \"./d.js\";\nimport {\n  c,\n} from \"./c.js\";\n"),
            Self.module("c.js", "export { a } from \"./a.js\";\n"),
            Self.module("d.js", "export const c = \"./a.js\";\n"),
        ]
        #expect(HouseRules.importCircles(circle) == ["a.js → b.js → c.js → a.js"])
        #expect(HouseRules.importCircles(Array(circle.dropFirst())) == [])
        #expect(HouseRules.importCircles([Self.module("a.js", "import \"./a.js\";")]) == ["a.js → a.js"])
        #expect(HouseRules.importCircles([Self.module("a.js", "const a = () => import(\"./a.js\");")]) != [])
        let shared = [
            Self.module("a.js", "import \"./b.js\";\nimport \"./c.js\";\n"),
            Self.module("b.js", "import \"./c.js\";\n"),
            Self.module("c.js", "// from ./a.js\n"),
        ]
        #expect(HouseRules.importCircles(shared) == [])
    }
}
