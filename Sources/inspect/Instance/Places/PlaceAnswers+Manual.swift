import Traffic
import Web

extension PlaceAnswers {
    /// The manual: the list of its articles, or the one that the address names.
    static var manual: Place {
        Place("manual", options: ["article"]) { question in
            try JSONWriter.bytes { json in
                if let name = question.first("article"), !name.isEmpty {
                    guard let article = Article.named(name) else {
                        throw Problem("The manual has no article of this name.", .missing)
                    }
                    json.object { article.write(to: &$0) }
                } else {
                    json.object { json in
                        json.objects("articles", Article.all) { article, json in article.writeEntry(to: &json) }
                    }
                }
                json.newline()
            }
        }
    }
}
