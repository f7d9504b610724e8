extension MediaType {
    /// Whether the body is a sequence of parts, each to be used as it comes, that may go on without an end: lines of JSON, pictures of a camera.
    ///
    /// Event streams and gRPC are no part of these: their messages are read.
    package var isOpenEnded: Bool {
        if essence == "multipart/x-mixed-replace" || essence.hasPrefix("application/connect+") { return true }
        return type == "application" && MediaType.lineSubtypes.contains(String(subtype))
    }

    private static let lineSubtypes: Set = [
        "ndjson", "x-ndjson", "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "json-lines", "json-seq", "geo+json-seq",
        "stream+json", "x-json-stream",
    ]
}
