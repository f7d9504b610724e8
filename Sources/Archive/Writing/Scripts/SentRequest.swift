import NIOCore
package import Traffic

/// A recorded request as it was sent upstream, in the parts that commands and programs need.
package struct SentRequest {
    /// One field line; the value byte for byte.
    package struct Field {
        /// A token (RFC 9110 §5.1), case kept.
        package var name: String
        package var value: [UInt8]

        /// The value as text; bytes that are not UTF-8 read as ISO 8859-1.
        package var text: String { ByteText.passed(value) }
    }

    /// How a body is written down.
    package enum Content {
        /// There was none, and no field that says how long it is.
        case none
        /// Text that the script can contain as it is; at most `inlineLimitBytes`.
        case text(String)
        /// Everything else: read piece by piece, written as base64.
        case bytes
    }

    /// A longer body is written as base64, even where it is text, so that it is never held in memory.
    static let inlineLimitBytes = 64 * 1024
    /// Bytes read at a time: a multiple of the 57 that fill a line of base64.
    private static let pieceBytes = 57 * 4096

    package let id: ExchangeID
    package let method: String
    package let scheme: Scheme
    package let host: String
    package let port: Int
    package let version: HTTPVersion?
    /// The target byte for byte.
    package let target: [UInt8]
    /// The field lines in order, without those that frame the message, except `Transfer-Encoding`.
    package let fields: [Field]
    package let content: Content
    /// Why the body is not whole; `nil` where it is.
    package let problem: String?
    private let source: ArchiveSource

    /// Splits a record's request into its parts; `nil` for a request that cannot be sent again: of a tunnel, of a WebSocket, or unreadable.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - source: the bodies' bytes, asked for piece by piece.
    /// - Throws: what `source` throws.
    package init?(_ record: ExchangeRecord, source: @escaping ArchiveSource) throws {
        var exchange = record.exchange
        guard let scheme = exchange.scheme, scheme == .http || scheme == .https, !exchange.isWebSocket,
            !exchange.host.isEmpty, !exchange.method.isEmpty, exchange.method.utf8.allSatisfy(ASCII.isToken),
            exchange.method != "CONNECT"
        else { return nil }
        exchange.request = exchange.request.describingKept
        let head = exchange.ownHead
        id = exchange.id
        method = exchange.method
        self.scheme = scheme
        host = exchange.host
        port = exchange.port
        version = exchange.version
        target = SentRequest.target(head) ?? Array(exchange.target.utf8)
        let all = HeaderList(head: head)
        fields = all.indices.compactMap { position in
            let name = all[position].name
            guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken), !all.isNamed("Content-Length", at: position)
            else {
                return nil
            }
            let value = all.bytes.getSlice(
                at: all.spans[position].value.lowerBound,
                length: all.spans[position].value.count
            )
            return Field(name: name, value: value.map { Array($0.readableBytesView) } ?? [])
        }
        self.source = source
        let body = exchange.request.body
        problem = body.problem(decoding: nil)
        if body.length == 0 {
            content = all.contains("Content-Length") || all.contains("Transfer-Encoding") ? .text("") : .none
        } else if body.kept <= Int64(SentRequest.inlineLimitBytes), let text = try SentRequest.text(exchange.id, source)
        {
            content = .text(text)
        } else {
            content = .bytes
        }
    }

    /// The URL as it can stand anywhere: ASCII, without a fragment.
    package var url: String { origin + (isOriginForm ? escapedTarget : "") }

    /// Scheme, host and port, the port where it is not the scheme's own.
    package var origin: String {
        let endpoint = Endpoint(host: PercentCoding.encoded(host.utf8, keeping: .url), port: port)
        return "\(scheme.rawValue)://\(endpoint.authority(of: scheme))"
    }

    /// The target, with characters escaped that no URI may contain.
    package var escapedTarget: String { PercentCoding.encoded(target, keeping: .target) }

    /// Whether the URL says all of the target.
    package var isExactAsURL: Bool { isOriginForm && Array(escapedTarget.utf8) == target }

    /// Remarks on the request, each on one line whatever an archive said: the request's line, then what is missing.
    package var remarks: [String] {
        var lines = ["\(id): \(method) \(url)"]
        if let problem { lines.append(problem) }
        return lines.map(VisibleText.line)
    }

    /// Whether a field line of this name was sent, ignoring case.
    package func hasField(_ name: String) -> Bool {
        fields.contains { $0.name.lowercased() == name.lowercased() }
    }

    /// Gives the body in pieces, each but the last a whole number of base64 lines.
    func eachPiece(_ give: ([UInt8]) throws -> Void) throws {
        var offset: Int64 = 0
        var rest: [UInt8] = []
        while true {
            let piece = try source(id, .request, offset, SentRequest.pieceBytes)
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            rest += piece
            let whole = rest.count / 57 * 57
            if whole > 0 { try give(Array(rest[..<whole])) }
            rest.removeFirst(whole)
        }
        if !rest.isEmpty { try give(rest) }
    }

    private var isOriginForm: Bool { target.first == UInt8(ascii: "/") }

    /// The target of a start line, where it is in origin-form or the asterisk.
    private static func target(_ head: ByteBuffer) -> [UInt8]? {
        let line = head.readableBytesView.prefix { $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed }
        guard let first = line.firstIndex(of: ASCII.space), let last = line.lastIndex(of: ASCII.space), first < last
        else { return nil }
        let target = Array(line[line.index(after: first)..<last])
        return target.first == UInt8(ascii: "/") || target == [UInt8(ascii: "*")] ? target : nil
    }

    /// A short body as text that can be written into a script unchanged.
    private static func text(_ id: ExchangeID, _ source: ArchiveSource) throws -> String? {
        var bytes: [UInt8] = []
        while bytes.count <= inlineLimitBytes {
            let piece = try source(id, .request, Int64(bytes.count), inlineLimitBytes + 1 - bytes.count)
            guard !piece.isEmpty else { break }
            bytes += piece
        }
        guard bytes.count <= inlineLimitBytes, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.contains { $0.value < 0x20 && !"\t\n\r".unicodeScalars.contains($0) } ? nil : text
    }
}
