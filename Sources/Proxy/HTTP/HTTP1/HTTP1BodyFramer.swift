import NIOCore
import Traffic

/// Takes the content of one body out of a connection's bytes: counts a length, undoes chunked coding strictly, or reads to the end.
struct HTTP1BodyFramer {
    /// The part of the body that comes next.
    private enum State {
        /// So many content bytes, then the end.
        case content(Int64)
        /// A chunk-size line (RFC 9112 §7.1).
        case chunkSize
        /// So many bytes of the chunk, then its CRLF.
        case chunk(Int64)
        /// The CRLF after a chunk.
        case chunkEnd
        /// Trailer field lines and the empty line; so many bytes of them are known not to hold the end.
        case trailers(scanned: Int)
        /// Everything until the connection closes.
        case rest
        /// Nothing more.
        case done
    }

    /// One step of reading.
    enum Step {
        /// Content bytes, never empty.
        case body(ByteBuffer)
        /// The body is complete.
        case end(ByteBuffer?)
        /// More bytes are needed.
        case more
    }

    /// Bytes of the longest chunk-size line, extensions included.
    private static let chunkLineLimitBytes = 4_096
    /// Pieces of chunks smaller than this are joined with what follows them in the same bytes: handing one on costs more than copying it.
    private static let joinBytes = 4_096

    private var state: State
    private let limits: HeadLimits

    init(_ framing: BodyFraming, limits: HeadLimits) {
        self.limits = limits
        switch framing {
        case .none: state = .done
        case .length(let length): state = .content(length)
        case .chunked: state = .chunkSize
        case .untilClose: state = .rest
        }
    }

    /// Reads the next step; call again until it is `more` or `end`.
    mutating func next(_ buffer: inout ByteBuffer) throws(MessageProblem) -> Step {
        while true {
            switch state {
            case .done:
                return .end(nil)
            case .content(let left):
                guard left > 0 else {
                    state = .done
                    return .end(nil)
                }
                guard let slice = take(&buffer, upTo: left) else { return .more }
                state = .content(left - Int64(slice.readableBytes))
                return .body(slice)
            case .rest:
                guard let slice = take(&buffer, upTo: .max) else { return .more }
                return .body(slice)
            case .chunkSize, .chunk, .chunkEnd:
                if let content = try chunks(&buffer) { return .body(content) }
                guard case .trailers = state else { return .more }
            case .trailers(let scanned):
                guard let trailers = try trailerSection(&buffer, scanned: scanned) else {
                    state = .trailers(scanned: buffer.readableBytes)
                    return .more
                }
                state = .done
                return .end(trailers.readableBytes > 2 ? trailers : nil)
            }
        }
    }

    /// Whether a close of the connection here is the proper end of the body.
    var endsAtClose: Bool { if case .rest = state { true } else { false } }

    /// The content of the chunks that are there, small ones joined; `nil` when more bytes are needed, or only trailers follow.
    ///
    /// An error behind some content is thrown by the next call.
    private mutating func chunks(_ buffer: inout ByteBuffer) throws(MessageProblem) -> ByteBuffer? {
        var content: ByteBuffer?
        while content.map({ $0.readableBytes < Self.joinBytes }) ?? true {
            do throws(MessageProblem) {
                guard let piece = try chunkPiece(&buffer) else { break }
                if content == nil { content = piece } else { content?.writeImmutableBuffer(piece) }
            } catch {
                guard content != nil else { throw error }
                break
            }
        }
        return content
    }

    /// The next content of one chunk; `nil` as for `chunks`.
    private mutating func chunkPiece(_ buffer: inout ByteBuffer) throws(MessageProblem) -> ByteBuffer? {
        while true {
            switch state {
            case .chunkSize:
                guard let size = try chunkSize(&buffer) else { return nil }
                state = size == 0 ? .trailers(scanned: 0) : .chunk(size)
            case .chunk(let left):
                guard let slice = take(&buffer, upTo: left) else { return nil }
                let rest = left - Int64(slice.readableBytes)
                state = rest == 0 ? .chunkEnd : .chunk(rest)
                return slice
            case .chunkEnd:
                guard let end = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self) else { return nil }
                guard end == 0x0D0A else {
                    throw MessageProblem("A chunk is not followed by CRLF.", cause: .badChunk)
                }
                buffer.moveReaderIndex(forwardBy: 2)
                state = .chunkSize
            case .content, .trailers, .rest, .done: return nil
            }
        }
    }

    private func take(_ buffer: inout ByteBuffer, upTo limit: Int64) -> ByteBuffer? {
        let count = Int(min(limit, Int64(buffer.readableBytes)))
        return count > 0 ? buffer.readSlice(length: count) : nil
    }

    private func chunkSize(_ buffer: inout ByteBuffer) throws(MessageProblem) -> Int64? {
        let view = buffer.readableBytesView
        guard let newline = view.firstIndex(of: ASCII.lineFeed) else {
            guard view.count <= Self.chunkLineLimitBytes else {
                throw MessageProblem("A chunk-size line is too long.", cause: .badChunk)
            }
            return nil
        }
        let line = view[view.startIndex..<newline]
        guard line.count <= Self.chunkLineLimitBytes else {
            throw MessageProblem("A chunk-size line is too long.", cause: .badChunk)
        }
        guard line.last == ASCII.carriageReturn else {
            throw MessageProblem("A chunk-size line ends in a bare LF.", cause: .badChunk)
        }
        var size: Int64 = 0
        var digits = 0
        var index = line.startIndex
        let end = line.endIndex - 1
        while index < end, let digit = Self.hexDigit(line[index]) {
            digits += 1
            guard digits <= 15 else { throw MessageProblem("A chunk size is too large.", cause: .badChunk) }
            size = size << 4 | Int64(digit)
            index += 1
        }
        guard digits > 0 else { throw MessageProblem("A chunk size is not a hexadecimal number.", cause: .badChunk) }
        if index < end {
            guard line[index] == UInt8(ascii: ";"),
                line[index..<end].allSatisfy({ $0 >= 0x20 ? $0 != 0x7F : $0 == ASCII.tab })
            else {
                throw MessageProblem(
                    "A chunk size is followed by something other than an extension.",
                    cause: .badChunk
                )
            }
        }
        buffer.moveReaderIndex(to: newline + 1)
        return size
    }

    private func trailerSection(_ buffer: inout ByteBuffer, scanned: Int) throws(MessageProblem) -> ByteBuffer? {
        let end: Int? = buffer.withUnsafeReadableBytes { bytes in
            if bytes.count >= 2, bytes[0] == ASCII.carriageReturn, bytes[1] == ASCII.lineFeed { return 2 }
            return HTTP1HeadParser.endOfHead(bytes, from: scanned)
        }
        guard end ?? buffer.readableBytes <= limits.headBytes else {
            throw MessageProblem(
                "The trailer section is longer than \(limits.headBytes) bytes.",
                code: 431,
                cause: .tooLong
            )
        }
        guard let end, let section = buffer.readSlice(length: end) else { return nil }
        try HTTP1HeadParser.checkTrailers(section, limits: limits)
        return section
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
