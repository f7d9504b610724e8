import Traffic

/// Finds the exchanges of an archive in its bytes, one after the other, without reading the archive whole.
///
/// It reads HAR (the values of `log.entries`), the object of a JSON export (the values of `exchanges`) and JSON lines. The rest is skipped by its
/// brackets; `JSONReader` reads each value once it is whole. It holds one value in memory, and both a value and each text in it have a limit.
package struct ArchiveSplitter {
    /// What an archive is.
    package enum Kind: String, Hashable, Sendable {
        case har = "HAR"
        case json = "JSON"
        case lines = "JSON lines"
    }

    /// A thing found in the archive.
    package enum Piece {
        /// A whole value of the list, numbered from 1.
        case entry(Int, [UInt8])
        /// A value that is too long to be read, with its length.
        case oversize(Int, Int64)
        /// A value with a text that is too long to be read, with the text's length.
        case longText(Int, Int64)
        /// A member of `log`, or of the object that has `exchanges`; a member that is too long comes without bytes.
        case member(String, [UInt8])
    }

    /// Bytes of one entry that are held where so much of a body is kept: two bodies, and the rest of the entry.
    ///
    /// Each byte is held twice: as JSON and as a text, then as a text and as a body. Packed, it may be a thousandth. For bodies of 64 MiB the limit
    /// is 187 MiB, which is also the least limit, so that every import reads what an export writes.
    package static func entryLimitBytes(ofBody bytes: Int64) -> Int {
        min(greatestEntryBytes, 2 * textLimitBytes(ofBody: bytes) + 2 * memberLimitBytes)
    }

    /// Bytes of one text of an entry that are held where so much of a body is kept, which as base64 is a third longer; at least those of a body of
    /// 64 MiB, so that every import reads what an export writes.
    package static func textLimitBytes(ofBody bytes: Int64) -> Int {
        Int(min(max(bytes, leastBodyBytes), Int64(greatestEntryBytes))) / 3 * 4 + 4
    }

    /// Bytes of a body that are read however little of a body is kept.
    package static let leastBodyBytes: Int64 = 64 << 20
    /// Bytes of one entry that are held however much of a body is kept.
    private static let greatestEntryBytes = 256 << 20
    /// Bytes of one member beside the list that are held.
    private static let memberLimitBytes = 8 << 20
    private static let keyLimitBytes = 4096
    /// Keys of an exchange's object; whichever comes first tells that the object is an exchange.
    private static let exchangeKeys: Set<String> = [
        "id", "started", "startedMicroseconds", "client", "clientConnection", "code", "method", "host", "durationMs",
    ]

    private enum Level: Hashable { case file, log }
    private enum State: Hashable {
        /// The splitter is before, between or after the values of the file.
        case outside
        case key(Level)
        case colon(Level, String)
        case value(Level, String)
        case afterMember(Level)
        case element
        case afterElement
    }

    private enum Target: Hashable { case key(Level), member(Level, String), entry, line }

    /// A value whose end has not come.
    private struct Capture {
        let target: Target
        let limitBytes: Int
        /// Bytes of one text in it that are held.
        var textLimitBytes = Int.max
        var bytes: [UInt8] = []
        var length: Int64 = 0
        var depth = 0
        var isInString = false
        var isEscaped = false
        var isScalar = false
        /// Bytes so far of the current text, without the backslashes.
        var textLength: Int64 = 0
        /// Bytes of its longest text so far.
        var longestText: Int64 = 0

        var isTooLong: Bool { length > Int64(limitBytes) }
        var hasLongText: Bool { longestText > Int64(textLimitBytes) }

        /// Counts the next bytes of the current text.
        mutating func addText(_ count: Int) {
            textLength += Int64(count)
            longestText = max(longestText, textLength)
        }
    }

    /// The kind of the file, once it is known.
    package private(set) var kind: Kind?
    /// Whether the list of entries has begun.
    package private(set) var hasList = false
    /// Entries found so far.
    package private(set) var count = 0
    private var state = State.outside
    private var listLevel = Level.file
    private var capture: Capture?
    private var offset: Int64 = 0
    private var beginning: [UInt8] = []
    private let entryLimitBytes: Int
    private let textLimitBytes: Int

    /// - Parameters:
    ///   - entryLimitBytes: a longer value is reported and not given.
    ///   - textLimitBytes: a value with a longer text is reported and not given; the backslashes of escapes do not count.
    package init(
        entryLimitBytes: Int = ArchiveSplitter.entryLimitBytes(ofBody: leastBodyBytes),
        textLimitBytes: Int = ArchiveSplitter.textLimitBytes(ofBody: leastBodyBytes)
    ) {
        (self.entryLimitBytes, self.textLimitBytes) = (entryLimitBytes, textLimitBytes)
    }

    /// Takes the next bytes.
    ///
    /// - Throws: `ArchiveProblem` where the file stops being an archive; what `give` throws.
    package mutating func write(_ bytes: [UInt8], _ give: (Piece) throws -> Void) throws {
        var bytes = bytes
        if beginning.count < 3 {
            // A byte order mark may come in pieces.
            beginning += bytes
            guard beginning.count >= 3 else { return }
            bytes = try ArchiveSplitter.withoutMark(beginning)
        }
        try bytes.withUnsafeBytes { try split($0, give) }
        offset += Int64(bytes.count)
    }

    /// Says that the file has ended.
    ///
    /// - Throws: `ArchiveProblem` where it ends too early, or contains nothing.
    package mutating func finish(_ give: (Piece) throws -> Void) throws {
        if beginning.count < 3, !beginning.isEmpty {
            let rest = beginning
            beginning = [0, 0, 0]
            try rest.withUnsafeBytes { try split($0, give) }
        }
        if capture == nil, state == .outside {
            guard kind == nil else { return }
            throw ArchiveProblem("is empty")
        }
        let place =
            switch capture?.target {
            case .entry, .line: "within entry \(count + 1)"
            case _ where state == .element || state == .afterElement: "after entry \(count)"
            default: "before its last bracket"
            }
        throw ArchiveProblem("ends \(place), at byte \(offset)")
    }

    private static func withoutMark(_ bytes: [UInt8]) throws -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw ArchiveProblem("is UTF-16; save it as UTF-8")
        }
        return bytes
    }

    // MARK: between values

    private mutating func split(_ chunk: UnsafeRawBufferPointer, _ give: (Piece) throws -> Void) throws {
        var index = 0
        while index < chunk.count {
            if capture != nil {
                index = try fill(chunk, from: index, give)
                continue
            }
            let byte = chunk[index]
            if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D || byte == 0x1E {
                index += 1
                continue
            }
            index += try take(byte, at: offset + Int64(index))
        }
    }

    /// Takes a byte that is no blank; returns how many bytes were used, 0 where it begins a value.
    private mutating func take(_ byte: UInt8, at place: Int64) throws -> Int {
        switch (state, byte) {
        case (.outside, UInt8(ascii: "{")): state = .key(.file)
        case (.key(let level), UInt8(ascii: "\"")):
            capture = Capture(target: .key(level), limitBytes: ArchiveSplitter.keyLimitBytes)
            return 0
        case (.key(let level), UInt8(ascii: "}")), (.afterMember(let level), UInt8(ascii: "}")): try close(level)
        case (.afterMember(let level), UInt8(ascii: ",")): state = .key(level)
        case (.colon(let level, let name), UInt8(ascii: ":")): state = .value(level, name)
        case (.value(.file, "log"), UInt8(ascii: "{")):
            kind = .har
            state = .key(.log)
        case (.value(.log, "entries"), UInt8(ascii: "[")): (listLevel, state, hasList) = (.log, .element, true)
        case (.value(.file, "exchanges"), UInt8(ascii: "[")):
            kind = .json
            (listLevel, state, hasList) = (.file, .element, true)
        case (.value(.file, "log"), _): throw ArchiveProblem("is no HAR: log is no object")
        case (.value(.log, "entries"), _): throw ArchiveProblem("is no HAR: log.entries is no list")
        case (.value(let level, let name), _):
            capture = Capture(target: .member(level, name), limitBytes: ArchiveSplitter.memberLimitBytes)
            return 0
        case (.element, UInt8(ascii: "]")), (.afterElement, UInt8(ascii: "]")): state = .afterMember(listLevel)
        case (.afterElement, UInt8(ascii: ",")): state = .element
        case (.element, _):
            capture = Capture(target: .entry, limitBytes: entryLimitBytes, textLimitBytes: textLimitBytes)
            return 0
        default:
            if kind == nil { throw ArchiveProblem("is neither a HAR file nor JSON that inspect exported") }
            throw ArchiveProblem("is no JSON after entry \(count), at byte \(place)")
        }
        return 1
    }

    private mutating func close(_ level: Level) throws {
        if level == .log {
            state = .afterMember(.file)
            return
        }
        guard kind != nil else { throw ArchiveProblem("is neither a HAR file nor JSON that inspect exported") }
        state = .outside
    }

    // MARK: within a value

    /// Goes on with the value whose end has not come; returns where it stopped.
    private mutating func fill(
        _ chunk: UnsafeRawBufferPointer,
        from start: Int,
        _ give: (Piece) throws -> Void
    ) throws -> Int {
        guard var value = capture else { return start }
        capture = nil
        var index = start
        var isWhole = false
        if value.length == 0 {
            switch chunk[index] {
            case UInt8(ascii: "\""): value.isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): value.depth = 1
            default: value.isScalar = true
            }
            if !value.isScalar { index += 1 }
        }
        var textStart = index
        while index < chunk.count, !isWhole {
            let byte = chunk[index]
            if value.isScalar {
                switch byte {
                case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"): isWhole = true
                default: index += 1
                }
                continue
            }
            index += 1
            if value.isEscaped {
                value.isEscaped = false
            } else if value.isInString {
                if byte == UInt8(ascii: "\\") {
                    value.isEscaped = true
                    value.textLength -= 1
                } else if byte == UInt8(ascii: "\"") {
                    value.isInString = false
                    value.addText(index - 1 - textStart)
                    value.textLength = 0
                    isWhole = value.depth == 0
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""):
                    value.isInString = true
                    textStart = index
                case UInt8(ascii: "{"), UInt8(ascii: "["): value.depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    value.depth -= 1
                    isWhole = value.depth == 0
                default: break
                }
            }
        }
        if value.isInString { value.addText(index - textStart) }
        value.length += Int64(index - start)
        if value.isTooLong || value.hasLongText {
            value.bytes = []
        } else {
            value.bytes.append(contentsOf: chunk[start..<index])
        }
        if isWhole { try end(value, give) } else { capture = value }
        return index
    }

    private mutating func end(_ value: Capture, _ give: (Piece) throws -> Void) throws {
        switch value.target {
        case .key(let level):
            guard !value.isTooLong, let name = (try? JSONReader.value(value.bytes, isMeasured: true))?.string else {
                throw ArchiveProblem("is no JSON: a name is longer than \(ArchiveSplitter.keyLimitBytes) bytes")
            }
            if level == .file, kind == nil || kind == .lines, ArchiveSplitter.exchangeKeys.contains(name) {
                // The whole value is an exchange, so the bytes that were taken of it are put back.
                kind = .lines
                var line = Capture(target: .line, limitBytes: entryLimitBytes, textLimitBytes: textLimitBytes)
                line.bytes = [UInt8(ascii: "{")] + value.bytes
                (line.length, line.depth) = (Int64(line.bytes.count), 1)
                capture = line
                return
            }
            state = .colon(level, name)
        case .member(let level, let name):
            state = .afterMember(level)
            try give(.member(name, value.bytes))
        case .entry, .line:
            state = value.target == .line ? .outside : .afterElement
            count += 1
            if value.isTooLong {
                try give(.oversize(count, value.length))
            } else if value.hasLongText {
                try give(.longText(count, value.longestText))
            } else {
                try give(.entry(count, value.bytes))
            }
        }
    }
}
