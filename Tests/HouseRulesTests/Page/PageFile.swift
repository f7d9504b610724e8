/// One module, style sheet or document of the page as the rules read it.
struct PageFile: Sendable {
    /// The path from the top of the checkout, with `/`.
    let path: String
    /// The lines as they stand.
    let lines: TextLines

    init(path: String, text: String) {
        self.path = path
        lines = TextLines(Array(text.utf8))
    }

    /// The name without folders, by which a browser asks for the file and other modules import it.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Whether the file is a module of JavaScript.
    var isModule: Bool { name.hasSuffix(".js") }

    /// The names of the modules that the file imports, or exports from, in the order of their lines.
    var imports: [String] {
        lines.containing(["\"./"]).flatMap { line in
            line.text.matches(of: /\b(?:from|import)\s*\(?\s*"\.\/([^"]+)"/).map { String($0.output.1) }
        }
    }
}
