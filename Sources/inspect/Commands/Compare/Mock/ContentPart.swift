/// Which bytes of some content are given, and how that is said.
struct ContentPart {
    /// The status: 206 or 416 for a range.
    let code: Int
    let bytes: Range<Int64>
    /// The value of Content-Range; `nil` for the whole.
    let range: String?

    /// - Parameters:
    ///   - wanted: what the request asks for; `nil` for the whole.
    ///   - length: bytes of the whole.
    ///   - code: the status of the whole.
    init(_ wanted: RequestedRange?, of length: Int64, code: Int) {
        switch wanted?.part(of: length) ?? .whole {
        case .whole: (self.code, bytes, range) = (code, 0..<length, nil)
        case .bytes(let bytes):
            (self.code, self.bytes) = (206, bytes)
            range = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(length)"
        case .outside: (self.code, bytes, range) = (416, 0..<0, "bytes */\(length)")
        }
    }
}
