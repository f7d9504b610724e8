import Traffic

/// A language in which a recorded request can be written down so that running the text sends it again.
package protocol RequestScript {
    /// The beginning of a file of requests.
    var beginning: String { get }
    /// The end of a file of requests.
    var ending: String { get }

    /// Writes one request.
    ///
    /// - Parameters:
    ///   - request: what to send.
    ///   - isFirst: whether it is the first request of the file.
    ///   - write: takes the next bytes, at most a piece of a body at a time.
    /// - Throws: what reading the body and `write` throw.
    func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws
}

extension RequestScript {
    package var beginning: String { "" }
    package var ending: String { "" }

    /// Writes a body as lines of base64, each ended by a line feed.
    func base64Lines(of request: SentRequest, to write: ([UInt8]) throws -> Void) throws {
        try request.eachPiece { piece in
            var lines: [UInt8] = []
            var rest = piece[...]
            while !rest.isEmpty {
                lines += Base64Encoder.text(Array(rest.prefix(57))).utf8
                lines.append(ASCII.lineFeed)
                rest = rest.dropFirst(57)
            }
            try write(lines)
        }
    }
}
