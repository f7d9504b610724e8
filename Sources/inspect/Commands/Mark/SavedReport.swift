import Traffic

/// What `inspect saved` shows without a name: every saved search.
struct SavedReport: Report {
    let searches: [SavedSearch]

    /// Writes `{"saved":[{"name","query"}]}`.
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.objects("saved", searches) { search, json in
                json.string("name", search.name)
                json.string("query", search.query)
            }
        }
    }

    func lines(in layout: Layout) -> [String] {
        searches.map { "@\(VisibleText.line($0.name))  \(VisibleText.line($0.query))" }
    }
}
