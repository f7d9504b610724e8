import Traffic

/// The parts of a `multipart/form-data` body (RFC 7578).
enum MultipartBody {
    /// Bytes of a value that are shown.
    private static let shownBytes = 500
    /// Parts that are read.
    private static let partLimit = 10_000

    /// One part.
    struct Part {
        /// The `name` of its Content-Disposition; `nil` where there is none.
        let name: String?
        /// Its `filename`, which makes it a file.
        let fileName: String?
        let type: String?
        let bytes: ArraySlice<UInt8>

        /// The value as text; `nil` for files and for what is no text.
        var shown: String? {
            guard fileName == nil, let text = String(validating: bytes, as: UTF8.self) else { return nil }
            return text.utf8.count <= shownBytes ? text : text.prefix(shownBytes) + "…"
        }
    }

    /// The parts in order; `nil` without a boundary, or where it does not stand in the body.
    static func parts(_ body: [UInt8], boundary: String?) -> [Part]? {
        guard let boundary, !boundary.isEmpty else { return nil }
        let delimiter = Array("--\(boundary)".utf8)
        guard var position = find(delimiter, in: body, from: 0) else { return nil }
        var parts: [Part] = []
        while parts.count < partLimit {
            let start = position + delimiter.count
            // Two dashes after the boundary end the body.
            if body[start...].starts(with: "--".utf8) { break }
            guard let next = find([0x0D, 0x0A] + delimiter, in: body, from: start) else { break }
            parts.append(part(body[start..<next]))
            position = next + 2
        }
        return parts
    }

    /// A part from the end of its boundary to the line end before the next.
    private static func part(_ bytes: ArraySlice<UInt8>) -> Part {
        let whole = Array(bytes)
        let end = find([0x0D, 0x0A, 0x0D, 0x0A], in: whole, from: 0)
        let head = String(decoding: whole[..<(end ?? whole.count)], as: UTF8.self)
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
        let content = end.map { whole[($0 + 4)...] } ?? []
        return Part(name: parameter("name"), fileName: parameter("filename"), type: type, bytes: content)
    }

    /// Where some bytes stand next.
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
