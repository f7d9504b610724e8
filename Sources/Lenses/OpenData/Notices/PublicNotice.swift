import Traffic

/// One of the city's public notices, as the list tells it.
package struct PublicNotice: Sendable, Equatable, Identifiable {
    package let id: Int64
    package let title: String

    package init(id: Int64, title: String) { (self.id, self.title) = (id, title) }

    /// Reads a record of the list; an id may be a number or its digits.
    init?(_ record: JSONValue) {
        guard let id = record["noticeId"]?.integer ?? record["noticeId"]?.string.flatMap(Int64.init) else { return nil }
        self.init(id: id, title: Dataset.text(record["title"]) ?? "")
    }

    /// The address of the notice's page.
    package var link: String { "http://app.toronto.ca/nm/api/individual/notice/\(id).do" }

    /// The number in the path of a notice's page; `nil` for any other path.
    static func id(inPath path: Substring) -> Int64? {
        guard let last = QueryString.steps(path).last, path.contains("/individual/notice/"), last.hasSuffix(".do")
        else {
            return nil
        }
        return Int64(last.dropLast(3))
    }
}
