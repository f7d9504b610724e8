import ArgumentParser
import Foundation
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// The README and the manual's articles say what there is.
@Suite(.timeLimit(.minutes(15))) struct ArticleTests {
    /// Every text for users, by its path.
    private static func texts() throws -> [(path: String, text: String)] {
        try ["README.md"].map { ($0, try Readme.text(of: $0)) } + Article.all.map { (Readme.article($0.name), $0.text) }
    }

    /// Where a text's links lead.
    private static func links(_ text: String) -> [String] {
        text.matches(of: #/\]\(([^)]+)\)/#).map { String($0.output.1) }
    }

    @Test("Every file is an article, says what it is about, and leads to articles alone")
    func articles() throws {
        let files = Set(Readme.articles)
        #expect(files == Set(Article.all.map { Readme.article($0.name) }) && files.count == Article.all.count)
        for article in Article.all {
            #expect(article.text == (try Readme.text(of: Readme.article(article.name))), "\(article.name)")
            #expect(!Inspect.commandNames.contains(article.name), "a command has the name of \(article.name)")
            #expect(article.title != article.name && article.about.hasSuffix("."), "\(article.name)")
            let folder = URL(filePath: "/" + Readme.article(article.name)).deletingLastPathComponent()
            for link in Self.links(article.text) {
                let path = folder.appending(path: link).standardized.path
                #expect(files.contains(String(path.dropFirst())), "\(article.name): \(link)")
            }
        }
    }

    @Test("The README is short, names every command, and leads to files that are there")
    func readme() throws {
        let text = try Readme.text()
        #expect(text.utf8.count <= 12_000)
        for name in Inspect.commandNames { #expect(text.contains("`\(name)`"), "\(name)") }
        let links = Self.links(text).filter { !$0.hasPrefix("https://") }
        #expect(Set(links.filter { $0.hasSuffix(".md") }) == Set(Article.all.map { Readme.article($0.name) }))
        for link in links {
            #expect(FileManager.default.fileExists(atPath: Readme.root.appending(path: link).path), "\(link)")
        }
    }

    @Test("Tables that are made from the code are not behind it", arguments: ManualTable.allCases)
    func tables(table: ManualTable) throws {
        let found = Article.all.compactMap { article in
            article.text.components(separatedBy: table.start).dropFirst().first?
                .components(separatedBy: ManualTable.end).first
        }
        #expect(found.count == 1)
        let wanted = try table.markdown().split(separator: "\n")
        let written = (found.first ?? "").split(separator: "\n")
        #expect(written.count == wanted.count)
        for (line, other) in zip(written, wanted) { #expect(line == other) }
    }

    @Test("Every command in a block of code is one that inspect takes")
    func examples() throws {
        var count = 0
        for (path, text) in try Self.texts() {
            for case .code(let lines) in ArticleBlock.read(text) {
                for line in lines where line.hasPrefix("inspect ") {
                    count += 1
                    let words = QueryArguments.shielded(Array(ShellLine.words(line).dropFirst()))
                    do {
                        _ = try Inspect.parseAsRoot(words)
                        if words.first == "ls", let query = words.last, !query.hasPrefix("@") {
                            _ = try FilterParser.parse(query, now: 0)
                        }
                    } catch {
                        Issue.record("\(path): \(line): \(Inspect.message(for: error))")
                    }
                }
            }
        }
        #expect(count > 100)
    }

    @Test("Every command that a text names in code is there")
    func named() throws {
        let known = Set(Inspect.commandNames + ["help", "inspect"])
        for (path, text) in try Self.texts() {
            for match in text.matches(of: #/`inspect ([a-z-]+)/#) {
                #expect(known.contains(String(match.output.1)), "\(path): \(match.output.0)")
            }
        }
    }

    @Test("The stops of the walks through the code are files that are there")
    func stops() throws {
        let article = try #require(Article.named("code"))
        let sources = FileManager.default.enumerator(atPath: Readme.root.appending(path: "Sources").path)
        let files = Set((sources?.allObjects as? [String] ?? []).map { URL(filePath: $0).lastPathComponent })
        let walks = article.blocks.compactMap { block -> [String]? in
            guard case .table(let header, let rows) = block, header.first.map(ArticleSpan.plain) == "stop" else {
                return nil
            }
            return rows.compactMap { $0.first.map(ArticleSpan.plain) }
        }
        #expect(walks.count == 2)
        for walk in walks {
            #expect((1...12).contains(walk.count))
            for stop in walk { #expect(files.contains("\(stop).swift"), "\(stop)") }
        }
    }

    @Test("The command's own help fits a screen, and each command's begins with what it does")
    func help() throws {
        let lines = CommandList(of: Inspect.configuration).text.split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count <= 60 && lines.allSatisfy { $0.count <= 80 })
        let named = lines.filter { $0.contains(#/^(?:[A-Z][a-z]+)? +[a-z-]+  /#) }
        #expect(named.count <= 40)
        let groups = named.filter { $0.first != " " }.compactMap { $0.split(separator: " ").first }
        #expect(groups == ["Proxy", "Look", "Mark", "Compare", "Archive", "Trust", "Lenses", "Tools"])
        for name in Inspect.commandNames {
            let isHidden = ["man", "complete", "completions", "facility-api"].contains(name)
            #expect(named.contains { $0.dropFirst(9).hasPrefix("\(name) ") } != isHidden, "\(name)")
        }
        let verbs: Set = [
            "Answer", "Check", "Compare", "Count", "Delete", "Explain", "Find", "Forget", "Have", "Learn",
            "List", "Mark", "Open", "Print", "Put", "Read", "Record", "Rewrite", "Run", "Save", "Say", "Send", "Serve",
            "Show", "Stop", "Switch", "Tag", "Take", "Test", "Write",
        ]
        for page in CommandManual.all(of: try CommandInformation(of: Inspect.self)) {
            let abstract = page.command.abstract
            #expect(verbs.contains(String(abstract.prefix { $0.isLetter })), "\(page.name): \(abstract)")
            #expect(abstract.hasSuffix("."), "\(page.name)")
        }
    }
}
