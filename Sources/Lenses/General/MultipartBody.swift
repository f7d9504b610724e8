import Traffic

/// A reader of `multipart/form-data` bodies (RFC 7578), and of other bodies of that form.
enum MultipartBody {
    /// The most bytes of a value that are shown.
    private static let shownBytes = 500
    /// The most parts that are read.
    private static let partLimit = 10_000
    /// The most bytes of a part's fields, which hold its name and its file's name.
    private static let headLimitBytes = 16 << 10

    /// A part of a body.
    struct Part {
        /// The `name` in the part's Content-Disposition; `nil` where there is none.
        let name: String?
        /// The `filename` in the part's Content-Disposition; a part that has one is a file.
        let fileName: String?
        let type: String?
        let bytes: ArraySlice<UInt8>
        /// Whether the body ends within the part.
        let isCut: Bool

        /// The value as text; `nil` for a file, and for bytes that are no text.
        var shown: String? {
            guard fileName == nil, let text = String(validating: bytes, as: UTF8.self) else { return nil }
            return text.utf8.count <= shownBytes ? text : text.prefix(shownBytes) + "…"
        }
    }

    /// The most characters of a boundary (RFC 2046 §5.1.1).
    private static let boundaryLimit = 70

    /// The parts in order, with a last one that the body cuts off; `nil` without a boundary, or where the body does not hold the boundary.
    static func parts(_ body: [UInt8], boundary: String?) -> [Part]? {
        guard let boundary, !boundary.isEmpty, boundary.utf8.count <= boundaryLimit else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        guard var line = self.line(of: delimiter, in: body, from: 0) else { return nil }
        var parts: [Part] = []
        while parts.count < partLimit, !line.isLast, line.end < body.count {
            let next = self.line(of: delimiter, in: body, from: line.end)
            parts.append(part(body[line.end..<max(line.end, next?.start ?? body.count)], isCut: next == nil))
            guard let next else { break }
            line = next
        }
        return parts
    }

    /// The parts of a response of `multipart/mixed`; `nil` where the body does not hold the boundary.
    ///
    /// The boundary is `-` where the media type names none.
    static func mixed(_ capture: Capture) -> [Part]? {
        let type = MediaType(capture.responseField("Content-Type"))
        return parts(
            capture.response.bytes,
            boundary: type?.parameters.first { $0.name == "boundary" }?.value ?? "-"
        )
    }

    /// The next line that is a delimiter: the boundary, then two dashes if it is the last, and nothing but blanks after that.
    ///
    /// A delimiter includes the line end before it (RFC 2046 §5.1.1); a bare line feed counts as a line end.
    private static func line(of delimiter: [UInt8], in body: [UInt8], from start: Int)
        -> (start: Int, end: Int, isLast: Bool)?
    {
        var position = start
        while let found = find(delimiter, in: body, from: position) {
            position = found + 1
            guard found == start || body[found - 1] == 0x0A else { continue }
            var end = found + delimiter.count
            let isLast = body[end...].starts(with: "--".utf8)
            if !isLast {
                while end < body.count, body[end] == 0x20 || body[end] == 0x09 { end += 1 }
                if body[end...].starts(with: [0x0D, 0x0A]) {
                    end += 2
                } else if end < body.count {
                    guard body[end] == 0x0A else { continue }
                    end += 1
                }
            }
            var first = found
            if first > start { first -= first - 1 > start && body[first - 2] == 0x0D ? 2 : 1 }
            return (first, end, isLast)
        }
        return nil
    }

    /// The part between the line after its boundary and the line end before the next boundary.
    private static func part(_ bytes: ArraySlice<UInt8>, isCut: Bool) -> Part {
        let (head, content) = halves(bytes)
        var disposition: MediaType?
        var type: String?
        for line in head.split(whereSeparator: \.isNewline) {
            let halves = line.split(separator: ":", maxSplits: 1).map(String.init)
            guard halves.count == 2 else { continue }
            switch halves[0].lowercased() {
            case "content-disposition": disposition = MediaType(halves[1])
            case "content-type": type = MediaType(halves[1])?.essence
            default: break
            }
        }
        func parameter(_ name: String) -> String? { disposition?.parameters.first { $0.name == name }?.value }
        return Part(
            name: parameter("name"),
            fileName: parameter("filename"),
            type: type,
            bytes: content,
            isCut: isCut
        )
    }

    /// The fields of a part, and its content after the first empty line; a line may end in a bare line feed.
    ///
    /// A part without an empty line is all fields, or all content where it is too long for fields.
    private static func halves(_ part: ArraySlice<UInt8>) -> (head: String, content: ArraySlice<UInt8>) {
        let head = part.prefix(headLimitBytes)
        var start = head.startIndex
        while let end = head[start...].firstIndex(of: 0x0A) {
            if end == start || end == start + 1 && head[start] == 0x0D {
                return (ByteText.repaired(head[..<start]), part[(end + 1)...])
            }
            start = end + 1
        }
        return head.count < part.count ? ("", part) : (ByteText.repaired(head), [])
    }

    /// The index at which some bytes next stand; `nil` where they do not.
    private static func find(_ wanted: [UInt8], in body: [UInt8], from start: Int) -> Int? {
        guard let first = wanted.first, start >= 0 else { return nil }
        var position = start
        while position + wanted.count <= body.count {
            guard let found = body[position...(body.count - wanted.count)].firstIndex(of: first) else { return nil }
            if body[found..<found + wanted.count].elementsEqual(wanted) { return found }
            position = found + 1
        }
        return nil
    }
}
