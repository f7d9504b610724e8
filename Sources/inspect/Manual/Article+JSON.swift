import Traffic

extension Article {
    /// Writes the article's entry in the list of articles.
    func writeEntry(to json: inout JSONWriter) {
        json.string("name", name)
        json.string("title", title)
        json.string("about", about)
    }

    /// Writes the whole article: its parts in order, each text as pieces.
    func write(to json: inout JSONWriter) {
        writeEntry(to: &json)
        json.objects("blocks", blocks) { block, json in
            switch block {
            case .heading(let level, let spans):
                json.string("kind", "heading")
                json.integer("level", level)
                Article.write("text", spans, to: &json)
            case .paragraph(let spans):
                json.string("kind", "paragraph")
                Article.write("text", spans, to: &json)
            case .list(let items):
                json.string("kind", "list")
                json.array("items") { json in for item in items { Article.write(nil, item, to: &json) } }
            case .table(let header, let rows):
                json.string("kind", "table")
                json.array("header") { json in for cell in header { Article.write(nil, cell, to: &json) } }
                json.array("rows") { json in
                    for row in rows { json.array { json in for cell in row { Article.write(nil, cell, to: &json) } } }
                }
            case .code(let lines):
                json.string("kind", "code")
                json.strings("lines", lines)
            }
        }
    }

    private static func write(_ name: String?, _ spans: [ArticleSpan], to json: inout JSONWriter) {
        json.objects(name, spans) { span, json in
            json.string("text", span.text)
            switch span.kind {
            case .plain: break
            case .code: json.boolean("code", true)
            case .strong: json.boolean("strong", true)
            case .article(let name): json.string("article", name)
            }
        }
    }
}
