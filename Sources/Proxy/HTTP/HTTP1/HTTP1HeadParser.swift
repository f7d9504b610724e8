import NIOCore
import Traffic

/// Reads HTTP/1 heads from bytes, strictly (RFC 9112 §2 to §5), and refuses what another reader could take differently.
///
/// Beyond errors of the grammar it refuses a bare CR or LF, obsolete line folding, white space before the colon, control characters, and a
/// field name that some servers read as a framing field (`Transfer_Encoding`).
enum HTTP1HeadParser {
    /// Where the head ends: the index after its empty line, or `nil` while it is not complete.
    ///
    /// - Parameters:
    ///   - bytes: what has come so far.
    ///   - from: an offset before which no head is known to end, so that a slow sender costs linear time.
    /// - Returns: the index after the empty line.
    static func endOfHead(_ bytes: UnsafeRawBufferPointer, from: Int) -> Int? {
        var index = max(from - 3, 0)
        while index < bytes.count {
            guard let newline = bytes[index...].firstIndex(of: ASCII.lineFeed) else { return nil }
            // An LF that ends an empty line ends the head, with or without its CR: the strict reading refuses the bare one.
            if newline >= 3, bytes[newline - 1] == ASCII.carriageReturn, bytes[newline - 2] == ASCII.lineFeed {
                return newline + 1
            }
            if newline >= 1, bytes[newline - 1] == ASCII.lineFeed { return newline + 1 }
            index = newline + 1
        }
        return nil
    }

    /// Reads a complete request head.
    static func request(_ raw: ByteBuffer, limits: HeadLimits) throws(MessageProblem) -> RequestHead {
        let base = raw.readerIndex
        var method = ""
        var target = 0..<0
        var version = HTTPVersion.http11
        var spans: [HeaderList.Span] = []
        var problem: MessageProblem?
        raw.withUnsafeReadableBytes { bytes in
            do throws(MessageProblem) {
                let line = try startLine(bytes, limits: limits)
                guard let firstSpace = bytes[0..<line].firstIndex(of: ASCII.space) else {
                    throw MessageProblem("The request line has no spaces.")
                }
                guard firstSpace > 0, bytes[0..<firstSpace].allSatisfy(ASCII.isToken) else {
                    throw MessageProblem("The method is not a token.")
                }
                let targetStart = firstSpace + 1
                guard let secondSpace = bytes[targetStart..<line].firstIndex(of: ASCII.space), secondSpace > targetStart
                else {
                    throw MessageProblem("The request line is not a method, a target and a version.")
                }
                guard bytes[targetStart..<secondSpace].allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
                    throw MessageProblem("The request target holds a control character.")
                }
                version = try HTTP1HeadParser.version(bytes, secondSpace + 1..<line)
                method = ByteText.repaired(bytes[0..<firstSpace])
                target = base + targetStart..<base + secondSpace
                spans = try fields(bytes, from: line + 2, base: base, limits: limits)
            } catch { problem = error }
        }
        if let problem { throw problem }
        let list = HeaderList(bytes: raw, spans: spans)
        let framing = try MessageFraming.request(list, version: version)
        return RequestHead(raw: raw, method: method, target: target, version: version, fields: list, framing: framing)
    }

    /// Reads a complete response head; `method` is that of the request it answers.
    static func response(_ raw: ByteBuffer, to method: String, limits: HeadLimits) throws(MessageProblem)
        -> ResponseHead
    {
        let base = raw.readerIndex
        var code = 0
        var version = HTTPVersion.http11
        var spans: [HeaderList.Span] = []
        var problem: MessageProblem?
        raw.withUnsafeReadableBytes { bytes in
            do throws(MessageProblem) {
                let line = try startLine(bytes, limits: limits)
                guard line >= 12, bytes[8] == ASCII.space else {
                    throw MessageProblem("The status line is not a version, a code and a reason.")
                }
                version = try HTTP1HeadParser.version(bytes, 0..<8)
                for index in 9..<12 {
                    guard bytes[index] >= 0x30, bytes[index] <= 0x39 else {
                        throw MessageProblem("The status code is not three digits.")
                    }
                    code = code * 10 + Int(bytes[index] - 0x30)
                }
                guard code >= 100 else { throw MessageProblem("The status code is below 100.") }
                guard line == 12 || bytes[12] == ASCII.space else {
                    throw MessageProblem("The status code is not three digits.")
                }
                guard bytes[min(12, line)..<line].allSatisfy(isFieldValueByte) else {
                    throw MessageProblem("The reason phrase holds a control character.")
                }
                spans = try fields(bytes, from: line + 2, base: base, limits: limits)
            } catch { problem = error }
        }
        if let problem { throw problem }
        let list = HeaderList(bytes: raw, spans: spans)
        let framing = try MessageFraming.response(list, code: code, version: version, to: method)
        return ResponseHead(raw: raw, code: code, version: version, fields: list, framing: framing)
    }

    /// Checks a complete trailer section, field lines and the empty line (RFC 9112 §7.1.2), which may hold no field of framing or routing.
    static func checkTrailers(_ raw: ByteBuffer, limits: HeadLimits) throws(MessageProblem) {
        var spans: [HeaderList.Span] = []
        var problem: MessageProblem?
        raw.withUnsafeReadableBytes { bytes in
            do throws(MessageProblem) {
                spans = try fields(bytes, from: 0, base: raw.readerIndex, limits: limits)
            } catch { problem = error }
        }
        if let problem { throw problem }
        let list = HeaderList(bytes: raw, spans: spans)
        if list.contains("content-length") || list.contains("transfer-encoding") || list.contains("host") {
            throw MessageProblem(
                "The trailer section holds a field that belongs in the head.",
                cause: .ambiguousFraming
            )
        }
    }

    /// The index of the CR that ends the start line.
    private static func startLine(_ bytes: UnsafeRawBufferPointer, limits: HeadLimits) throws(MessageProblem) -> Int {
        guard let newline = bytes.firstIndex(of: ASCII.lineFeed) else {
            throw MessageProblem("The start line has no end.")
        }
        guard newline <= limits.startLineBytes + 1 else {
            throw MessageProblem(
                "The start line is longer than \(limits.startLineBytes) bytes.",
                code: 414,
                cause: .tooLong
            )
        }
        guard newline > 0, bytes[newline - 1] == ASCII.carriageReturn else {
            throw MessageProblem("A line ends in a bare LF.")
        }
        return newline - 1
    }

    private static func version(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws(MessageProblem)
        -> HTTPVersion
    {
        guard range.count == 8, "HTTP/".utf8.elementsEqual(bytes[range.lowerBound..<range.lowerBound + 5]),
            bytes[range.lowerBound + 6] == UInt8(ascii: ".")
        else { throw MessageProblem("The version is not HTTP/1.0 or HTTP/1.1.") }
        switch (bytes[range.lowerBound + 5], bytes[range.lowerBound + 7]) {
        case (UInt8(ascii: "1"), UInt8(ascii: "1")): return .http11
        case (UInt8(ascii: "1"), UInt8(ascii: "0")): return .http10
        default: throw MessageProblem("The version is not HTTP/1.0 or HTTP/1.1.", code: 505, cause: .version)
        }
    }

    /// Reads field lines up to and including the empty line, which must be the last bytes.
    private static func fields(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        base: Int,
        limits: HeadLimits
    ) throws(MessageProblem) -> [HeaderList.Span] {
        var spans: [HeaderList.Span] = []
        spans.reserveCapacity(16)
        var index = start
        while index < bytes.count {
            if bytes[index] == ASCII.carriageReturn {
                guard index + 2 == bytes.count, bytes[index + 1] == ASCII.lineFeed else {
                    throw MessageProblem("A field line holds a bare CR.")
                }
                return spans
            }
            guard spans.count < limits.fieldCount else {
                throw MessageProblem(
                    "There are more than \(limits.fieldCount) field lines.",
                    code: 431,
                    cause: .tooLong
                )
            }
            let nameStart = index
            while index < bytes.count, ASCII.isToken(bytes[index]) { index += 1 }
            guard index < bytes.count, bytes[index] == ASCII.colon, index > nameStart else {
                if nameStart < bytes.count, ASCII.isBlank(bytes[nameStart]) {
                    throw MessageProblem("A field line is folded.")
                }
                throw MessageProblem("A field name is not a token followed by a colon.")
            }
            let nameEnd = index
            index += 1
            while index < bytes.count, ASCII.isBlank(bytes[index]) { index += 1 }
            let valueStart = index
            while index < bytes.count, isFieldValueByte(bytes[index]) { index += 1 }
            guard index + 1 < bytes.count, bytes[index] == ASCII.carriageReturn, bytes[index + 1] == ASCII.lineFeed
            else {
                throw MessageProblem("A field value holds a control character or a bare line end.")
            }
            var valueEnd = index
            while valueEnd > valueStart, ASCII.isBlank(bytes[valueEnd - 1]) { valueEnd -= 1 }
            spans.append(
                HeaderList.Span(name: base + nameStart..<base + nameEnd, value: base + valueStart..<base + valueEnd)
            )
            index += 2
        }
        throw MessageProblem("The head has no empty line.")
    }

    /// Whether a byte may stand in a field value or a reason phrase: control characters may not, but the tab may (RFC 9110 §5.5).
    @inline(__always) private static func isFieldValueByte(_ byte: UInt8) -> Bool {
        byte >= 0x20 ? byte != 0x7F : byte == ASCII.tab
    }
}
