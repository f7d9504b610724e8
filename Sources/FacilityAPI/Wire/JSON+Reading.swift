extension JSON {
    /// The reason why bytes are not JSON, in a sentence for the client.
    struct ReadingError: Error {
        let reason: String
    }

    /// Reads a request's body.
    ///
    /// - Parameter bytes: at most what a request may carry (``IncomingRequest/bodyLimitBytes``).
    /// - Throws: ``ReadingError``.
    init(reading bytes: [UInt8]) throws(ReadingError) {
        var scanner = JSONScanner(bytes)
        self = try scanner.read()
    }
}
