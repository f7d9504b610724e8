import Store
import Traffic

/// One recorded body: the bytes for a program, and for a person lines that are decoded, JSON set out, what is no text as a dump.
struct ShownBody {
    /// Bytes of a binary body that are dumped.
    private static let dumpBytes = 256
    /// Bytes read from the store at a time.
    private static let pieceBytes = 256 << 10

    private let store: TrafficStore
    private let id: ExchangeID
    private let side: MessageSide
    private let message: Message
    private let limitBytes: Int

    /// - Parameters:
    ///   - store: holds the body.
    ///   - id: the exchange.
    ///   - side: whose body it is.
    ///   - message: its measures and fields.
    ///   - limitBytes: decoded bytes that are read; a longer body is cut, and a note says so.
    init(_ store: TrafficStore, _ id: ExchangeID, _ side: MessageSide, _ message: Message, limitBytes: Int) {
        self.limitBytes = limitBytes
        self.store = store
        self.id = id
        self.side = side
        self.message = message
    }

    /// Writes the body for `inspect show --body`: to a terminal as text that is safe to show, else as it is.
    ///
    /// - Parameters:
    ///   - console: where to; what is not the whole body is said on standard error.
    ///   - isRaw: whether the stored bytes are written, still in their content coding, in the place of the decoded ones.
    /// - Throws: `StoreError`, `OutputClosed`.
    func write(to console: Console, isRaw: Bool) throws {
        if isRaw {
            try writeStored { try console.write($0) }
            if message.body.isTruncated {
                note("only the first \(message.body.kept) of \(message.body.length) bytes were kept")
            }
        } else if console.isTerminal {
            for line in try lines(in: console.style) { try console.line(line) }
        } else if let problem = try writeDecoded({ try console.write($0) }) {
            note(problem)
        }
    }

    /// Tells the user on standard error, beside the bytes.
    private func note(_ text: String) {
        Console.remark("inspect: \(VisibleText.line(text))")
    }

    /// Gives the stored bytes, exactly as they went over the wire, piece by piece.
    private func writeStored(_ give: ([UInt8]) throws -> Void) throws {
        var offset: Int64 = 0
        while true {
            let piece = try store.body(id, side, offset: offset, limitBytes: ShownBody.pieceBytes)
            guard !piece.isEmpty else { return }
            try give(piece)
            offset += Int64(piece.count)
        }
    }

    /// Gives the decoded bytes, piece by piece, of a body without codings all of them; returns what kept them from being the whole body.
    private func writeDecoded(_ give: ([UInt8]) throws -> Void) throws -> String? {
        let isCoded = !message.codings.isEmpty
        return try decode(limitBytes: isCoded ? limitBytes : .max) { try give(Array($0)) }
    }

    /// The lines to show, at most `lineLimit` of them, and notes on what is not shown.
    func lines(in style: Style, lineLimit: Int = .max) throws -> [String] {
        guard message.body.length > 0 else { return [] }
        var bytes: [UInt8] = []
        let problem = try decode(limitBytes: limitBytes) { bytes.append(contentsOf: $0) }
        let text = self.text(bytes)
        let all = text?.lines ?? dump(bytes)
        var lines = Array(all.prefix(lineLimit))
        if text?.isJSON == true { lines = lines.map(MessageColours(style: style).json) }
        if all.count > lineLimit {
            lines.append("… \(all.count - lineLimit) more lines: inspect show \(id) --body \(side.rawValue)")
        }
        if let problem { lines.append("(\(VisibleText.line(problem)))") }
        return lines
    }

    /// Undoes the content codings piece by piece; returns what is wrong.
    private func decode(limitBytes: Int, _ give: (UnsafeRawBufferPointer) throws -> Void) throws -> String? {
        let decoder = ContentDecoder(names: message.codings, limitBytes: limitBytes)
        var failure: (any Error)?
        func pass(_ decoded: UnsafeRawBufferPointer) {
            guard failure == nil else { return }
            do { try give(decoded) } catch { failure = error }
        }
        try writeStored { piece in
            decoder.write(piece, pass)
            if let failure { throw failure }
        }
        decoder.finish(isWhole: !message.body.isTruncated, pass)
        if let failure { throw failure }
        return message.body.problem(decoding: decoder.problem)
    }

    /// The lines of a text, and whether they are JSON that was set out; `nil` for what is no text.
    private func text(_ bytes: [UInt8]) -> (lines: [String], isJSON: Bool)? {
        let type = MediaType(message.fields.first("Content-Type"))
        guard type?.isBinary != true, let charset = message.charset(of: type) else { return nil }
        var utf8: [UInt8] = []
        var decoder = TextDecoder(charset)
        guard bytes.withUnsafeBytes({ decoder.decode($0, into: &utf8) }), !utf8.contains(0) else { return nil }
        let indented = type?.isJSON == true ? JSONIndenter.indented(utf8) : nil
        let text = String(decoding: indented ?? utf8, as: UTF8.self)
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            VisibleText.lines(String(line.last == "\r" ? line.dropLast() : line))
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return (lines, isJSON: indented != nil)
    }

    private func dump(_ bytes: [UInt8]) -> [String] {
        var lines = HexDump.lines(Array(bytes.prefix(ShownBody.dumpBytes)))
        if bytes.count > ShownBody.dumpBytes {
            lines.append(
                "… \(bytes.count - ShownBody.dumpBytes) more bytes: inspect show \(id) --body \(side.rawValue) --raw > FILE"
            )
        }
        return lines
    }
}
