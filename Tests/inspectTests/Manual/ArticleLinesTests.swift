import Testing
import Traffic

@testable import inspect

/// An article as a terminal shows it.
@Suite(.timeLimit(.minutes(15))) struct ArticleLinesTests {
    private static let article = Article(
        "sample",
        """
        # A *sample*

        Words with `some code` and a
        [link](queries.md).
        <!-- a marker -->
        - One
          and more.
        - **Two**.

        ```sh
        inspect ls   'code:5xx'
        ```

        | key | what \\| for |
        |---|---|
        | `a` | \(String(repeating: "word ", count: 30))|
        """
    )

    @Test("The parts of an article are told apart, and its code stays as it is")
    func parts() throws {
        let blocks = Self.article.blocks
        #expect(blocks.count == 5)
        #expect(Self.article.title == "A *sample*" && Self.article.about == "Words with some code and a link.")
        guard case .list(let items) = blocks[2], case .table(let header, let rows) = blocks[4] else {
            Issue.record("\(blocks)")
            return
        }
        #expect(items.map(ArticleSpan.plain) == ["One and more.", "Two."])
        #expect(blocks[3] == .code(["inspect ls   'code:5xx'"]))
        #expect(header.map(ArticleSpan.plain) == ["key", "what | for"])
        #expect(rows.count == 1 && rows.first?.first == [ArticleSpan(text: "a", kind: .code)])
        #expect(blocks[1] == .paragraph(ArticleSpan.read("Words with `some code` and a [link](queries.md).")))
        #expect(ArticleSpan.read("[link](../Look/queries.md)") == ArticleSpan.read("[link](queries.md)"))
    }

    @Test("A pipe gets plain lines of a readable width, with the names of other articles")
    func plain() {
        let lines = ArticleLines(in: .plain).lines(Self.article)
        #expect(lines.first == "A *SAMPLE*")
        #expect(lines.contains("Words with `some code` and a link (inspect man queries)."))
        #expect(lines.contains("    inspect ls   'code:5xx'") && lines.contains("  - One and more."))
        #expect(lines.allSatisfy { $0.count <= 100 && !$0.contains("\u{1B}") })
        let table = lines.filter { $0.contains("word") }
        #expect(table.count == 2)
        #expect(table.first?.hasPrefix("`a`  word") == true && table.last?.hasPrefix("     word") == true)
    }

    @Test("The page gets the same parts as JSON")
    func json() throws {
        var writer = JSONWriter()
        writer.object { Self.article.write(to: &$0) }
        let value = try JSONReader.value(writer.take())
        let blocks = value["blocks"]?.elements ?? []
        #expect(
            blocks.compactMap { $0["kind"]?.string } == ["heading", "paragraph", "list", "code", "table"]
        )
        #expect(blocks[1]["text"]?.elements?.compactMap { $0["article"]?.string } == ["queries"])
        #expect(blocks[4]["rows"]?.elements?.first?.elements?.first?.elements?.first?["code"]?.boolean == true)
    }

    @Test("Every article of the manual fits its width, but for code that must not be broken")
    func all() {
        let set = ArticleLines(in: .plain)
        for article in Article.all {
            for line in set.lines(article) where line.count > 100 {
                #expect(line.hasPrefix("    "), "\(article.name): \(line)")
            }
        }
    }
}
