/// Compares two bodies in the way that suits them: as JSON, as forms, line by line, or by digest and size.
struct BodyDiff {
    /// Decoded bytes of a body that are compared; what is longer is compared by its digest.
    static let limitBytes = 32 << 20

    let side: MessageSide
    let noise: DiffNoise

    /// A body with the message it belongs to.
    struct Content {
        var message: Message
        var body: CapturedBody

        /// Why only the digests can be compared; `nil` where the bytes are there.
        var isWhole: Bool { !message.body.isTruncated && body.bytes.count <= BodyDiff.limitBytes }
        var type: MediaType? { MediaType(message.fields.first("Content-Type")) }

        /// The body as JSON; `nil` where it is none.
        var json: JSONValue? {
            guard body.problem == nil, let first = body.bytes.first(where: { $0 > ASCII.space && $0 < 0x80 }),
                type?.isJSON == true || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
            else { return nil }
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            let charset = body.charset ?? .windows1252
            guard let bytes = charset == .utf8 ? body.bytes : charset.text(body.bytes).map({ Array($0.utf8) }) else {
                return nil
            }
            return try? JSONReader.exactValue(bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes)
        }

        /// The body as text; `nil` where it is none.
        var text: String? {
            if type?.isBinary == true { return nil }
            guard let text = (body.charset ?? .windows1252).text(body.bytes),
                !text.unicodeScalars.contains(where: {
                    $0.value < 0x20 && !"\t\n\r\u{C}\u{1B}".unicodeScalars.contains($0)
                })
            else { return nil }
            return text
        }

        /// `1,024 bytes of application/json`.
        var description: String {
            body.bytes.isEmpty ? "no body" : "\(body.bytes.count) bytes" + (type.map { " of \($0.essence)" } ?? "")
        }
    }

    /// Whether two bodies are the same by what is recorded of them, without their bytes.
    static func isSame(_ left: Message?, _ right: Message?) -> Bool {
        let (one, other) = (left?.body ?? Body(), right?.body ?? Body())
        if one.length == 0, other.length == 0 { return true }
        guard one.length == other.length, !one.sha256.isEmpty, one.sha256 == other.sha256,
            one.archived == nil, other.archived == nil
        else { return false }
        return left.map { ContentCoding.names(of: $0.fields) } == right.map { ContentCoding.names(of: $0.fields) }
    }

    /// Adds what differs.
    func compare(_ left: Content, _ right: Content, _ found: inout CaptureDifference) {
        for (name, content) in [("left", left), ("right", right)] {
            if let problem = content.body.problem { found.note("The \(side.rawValue) body on the \(name): \(problem)") }
        }
        guard left.body.bytes != right.body.bytes else {
            if left.message.body.length != right.message.body.length, !left.isWhole || !right.isWhole {
                found.add(Difference(side, .body, "past what was kept", .changed))
            }
            return
        }
        let (one, other) = (left.json, right.json)
        if let one, let other {
            var diff = JSONDiff(side, adding: found)
            diff.compare(one, other, NoiseTrail(noise.paths))
            found = diff.found
        } else if one == nil, other == nil, side == .request, [left, right].allSatisfy(\.isForm),
            let one = left.text, let other = right.text
        {
            QueryDiff.forms(one, other, noise, &found)
        } else if one == nil, other == nil, !left.body.isEmpty, !right.body.isEmpty,
            let one = left.text, let other = right.text
        {
            TextDiff.compare(one, other, side, &found)
        } else {
            let change: Difference.Change = left.body.isEmpty ? .added : right.body.isEmpty ? .removed : .changed
            found.add(
                Difference(side, .body, "as a whole", change, left: left.description, right: right.description)
            )
        }
    }
}

extension BodyDiff.Content {
    fileprivate var isForm: Bool { type?.essence == "application/x-www-form-urlencoded" }
}
