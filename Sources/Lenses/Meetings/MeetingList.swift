package import Traffic

/// The answer to `?query`: numbers about the search, and the meetings that it found.
package struct MeetingList: Sendable {
    /// The members that the app needs in `meta`; where one is missing the app shows an error.
    package static let metaNames = [
        "total", "total_pages", "page_size", "page", "starting_index", "actual_size", "search_time",
    ]

    /// The members of `meta`.
    package let meta: JSONValue
    package let meetings: [Meeting]

    /// Reads an answer's body, one meeting's JSON at a time; `nil` for a JSON text of another form.
    ///
    /// - Parameter body: the text.
    /// - Throws: an `ExactJSON.Problem` that ends a sentence begun with "the body".
    package init?(_ body: CapturedBody) throws(ExactJSON.Problem) {
        var meetings: [Meeting] = []
        let bytes = body.jsonBytes
        try ExactJSON.check(bytes)
        let value: JSONValue
        do {
            value = try JSONReader.value(bytes, each: "meetings") {
                meetings.append(Meeting($0, index: meetings.count))
            }
        } catch {
            throw .unread(error.description)
        }
        guard let meta = value["meta"], meta.isObject, value["meetings"]?.elements != nil else { return nil }
        self.meta = meta
        self.meetings = meetings
    }

    /// A number of `meta`.
    package func integer(_ name: String) -> Int? { meta[name]?.integer.flatMap(Int.init(exactly:)) }

    /// The names of members that the app needs and `meta` lacks.
    package var missingMeta: [String] { MeetingList.metaNames.filter { meta[$0]?.number == nil } }

    /// Whether the app shows an error in place of this answer.
    package var failsInApp: Bool { !missingMeta.isEmpty || meetings.isEmpty && integer("page_size") != 0 }
}
