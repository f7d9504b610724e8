import Foundation
import NIOCore

/// Replaces the secrets of exchanges by placeholders on their way into an export: in heads, targets, bodies, trailers and messages.
///
/// One exchange at a time: `redact` gives the record without secrets, and until the next call `body` and `message` give what belongs to it.
package final class Redactor {
    /// Bytes of a body that are decoded and searched; what is beyond is left out of the export, and the body marked as cut.
    private static let bodyLimitBytes = 32 << 20

    /// What was masked so far.
    package private(set) var report = RedactionReport()
    private var vault: SecretVault
    private let patterns: [NSRegularExpression]
    /// The bodies that differ from the stored ones.
    private var bodies: [MessageSide: [UInt8]] = [:]
    private var current: ExchangeID = 0

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - patterns: what else to mask: the first group where there is one, else all of a match.
    ///   - digest: a digest under a key that nobody else has; at least 16 bytes.
    package init(patterns: [NSRegularExpression] = [], digest: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.patterns = patterns
        vault = SecretVault(digest: digest)
    }

    /// The record without secrets.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - source: its bodies' stored bytes.
    /// - Returns: what to write in the record's place.
    /// - Throws: what `source` throws.
    package func redact(_ record: ExchangeRecord, source: ArchiveSource) throws -> ExchangeRecord {
        let before = (report: report, known: vault.knownCount)
        let first = try masked(record, source)
        guard vault.knownCount > before.known else { return first }
        // What stands before the place that names it is found the second time.
        report = before.report
        return try masked(record, source)
    }

    private func masked(_ record: ExchangeRecord, _ source: ArchiveSource) throws -> ExchangeRecord {
        var exchange = record.exchange
        current = exchange.id
        bodies = [:]
        // The target stands in the head, and a head that was sent on in the one that came: neither counts twice.
        exchange.target = uncounted { ByteText.lossless(target(Array(exchange.target.utf8))) }
        exchange.request = message(exchange.request)
        exchange.response = exchange.response.map(message)
        if !exchange.isWebSocket {
            exchange.request = try withBody(.request, exchange.request, exchange.id, source)
            exchange.response = try exchange.response.map { try withBody(.response, $0, exchange.id, source) }
        }
        exchange.interim = exchange.interim.map { head($0) }
        exchange.ownResponse = exchange.ownResponse.map { ByteBuffer(bytes: text(Array($0.readableBytesView))) }
        let failure = sentence(exchange.failure?.message ?? "")
        exchange.failure?.message = failure
        exchange.warnings = exchange.warnings.map(sentence)
        var summary = record.summary
        (summary.target, summary.failure) = (exchange.target, exchange.failure)
        return ExchangeRecord(exchange: exchange, summary: summary)
    }

    /// Masks without adding to the report.
    private func uncounted<Value>(_ masking: () -> Value) -> Value {
        let before = report
        defer { report = before }
        return masking()
    }

    /// Bytes of a body of the exchange that `redact` was called with last.
    package func body(
        _ id: ExchangeID,
        _ side: MessageSide,
        _ offset: Int64,
        _ limitBytes: Int,
        source: ArchiveSource
    ) throws -> [UInt8] {
        guard id == current, let bytes = bodies[side] else { return try source(id, side, offset, limitBytes) }
        return Array(bytes.dropFirst(Int(clamping: offset)).prefix(limitBytes))
    }

    /// A message of the exchange's stream without secrets.
    package func message(_ message: StreamMessage) -> StreamMessage {
        var message = message
        let before = Array(message.payload.readableBytesView)
        let after = text(before)
        if after != before {
            message.size += Int64(after.count - before.count)
            message.payload = ByteBuffer(bytes: after)
        }
        message.eventName = message.eventName.map(sentence)
        message.eventID = message.eventID.map(sentence)
        message.problem = message.problem.map(sentence)
        return message
    }

    /// A text that is no part of an exchange without its secrets: a value under its name, as JSON.
    package func masked(_ text: String) -> String { ByteText.lossless(self.text(Array(text.utf8))) }

    // MARK: parts of an exchange

    private func message(_ message: Message) -> Message {
        var message = message
        message.head = head(message.head)
        message.sentHead = message.sentHead.map { sent in uncounted { head(sent) } }
        message.trailers = message.trailers.map { head($0, hasStartLine: false) }
        return message
    }

    private func head(_ head: ByteBuffer, hasStartLine: Bool = true) -> ByteBuffer {
        var out = ByteBuffer()
        var isFirst = hasStartLine
        let lines = head.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if isFirst {
                isFirst = false
                out.writeBytes(startLine(Array(line)))
            } else {
                out.writeBytes(field(Array(line)))
            }
            if index < lines.count - 1 { out.writeInteger(ASCII.lineFeed) }
        }
        return out
    }

    private func startLine(_ line: [UInt8]) -> [UInt8] {
        guard let first = line.firstIndex(of: ASCII.space), let last = line.lastIndex(of: ASCII.space), first < last,
            !line.starts(with: "HTTP/".utf8)
        else { return text(line) }
        return line[...first] + target(Array(line[(first + 1)..<last])) + line[last...]
    }

    /// A target or URL: its query by names, then the rest as any text.
    private func target(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return text(target) }
        return text(Array(target[...mark])) + text(Array(target[(mark + 1)...]), form: .form)
    }

    private func field(_ line: [UInt8]) -> [UInt8] {
        guard let colon = line.firstIndex(of: ASCII.colon) else { return text(line) }
        let name = line[..<colon]
        let start = line[(colon + 1)...].firstIndex { !ASCII.isBlank($0) } ?? line.endIndex
        let end = (line[start...].lastIndex { !ASCII.isBlank($0) && $0 != ASCII.carriageReturn } ?? start - 1) + 1
        guard start < end else { return line }
        let word = String(decoding: name, as: UTF8.self).lowercased()
        let value = Array(line[start..<end])
        let masked: [UInt8]
        switch word {
        case "cookie": masked = cookies(value)
        case "set-cookie":
            let first = value.prefix { $0 != UInt8(ascii: ";") }
            masked = cookies(Array(first)) + text(Array(value[first.count...]))
        case "authorization", "proxy-authorization": masked = credentials(value, word)
        default:
            let kind = SecretKind(name: name)
            masked = kind.map { mask(value, $0, "header \(word)") } ?? text(value)
        }
        return line[..<start] + masked + line[end...]
    }

    /// Every value of a Cookie field, names kept.
    private func cookies(_ value: [UInt8]) -> [UInt8] {
        let pairs = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { pair -> [UInt8] in
            guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else {
                return pair.allSatisfy(ASCII.isBlank) ? Array(pair) : mask(Array(pair), .cookie, "cookie")
            }
            let value = Array(pair[(equals + 1)...])
            return pair[...equals] + (value.isEmpty ? [] : mask(value, .cookie, "cookie"))
        }
        return Array(pairs.joined(separator: [UInt8(ascii: ";")]))
    }

    /// The scheme stays; a user and password in Basic are known from then on.
    private func credentials(_ value: [UInt8], _ name: String) -> [UInt8] {
        guard let blank = value.firstIndex(of: ASCII.space) else { return mask(value, .token, "header \(name)") }
        let secret = Array(value[(blank + 1)...])
        let isBasic = value[..<blank].map(ASCII.lower).elementsEqual("basic".utf8)
        let kind: SecretKind = isBasic ? .password : .token
        let masked = mask(secret, kind, "header \(name)")
        if isBasic, let pair = Data(base64Encoded: String(decoding: secret, as: UTF8.self)) {
            let password = Array(pair.drop { $0 != ASCII.colon }.dropFirst())
            if !password.isEmpty { vault.remember(password, as: vault.name(password, .password)) }
        }
        return value[...blank] + masked
    }

    private func withBody(
        _ side: MessageSide,
        _ message: Message,
        _ id: ExchangeID,
        _ source: ArchiveSource
    ) throws -> Message {
        let type = MediaType(message.fields.first("Content-Type"))
        guard message.body.kept > 0, type?.isBinary != true else { return message }
        let decoder = ContentDecoder(names: message.codings, limitBytes: Redactor.bodyLimitBytes)
        var decoded: [UInt8] = []
        var offset: Int64 = 0
        while !decoder.isStopped {
            let piece = try source(id, side, offset, 256 << 10)
            guard !piece.isEmpty else { break }
            offset += Int64(piece.count)
            decoder.write(piece) { decoded += $0 }
        }
        decoder.finish(isWhole: !message.body.isTruncated) { decoded += $0 }
        if decoder.leavesCodings, decoder.isIdentity || !Redactor.isText(decoded) {
            report.countWithheldBody()
            bodies[side] = Redactor.withheld
            return rewritten(message, length: Redactor.withheld.count, isCut: true, isUTF8: true)
        }
        let isCut = decoder.problem != nil && !decoder.isIdentity || decoder.isStopped
        let wide: Set<Charset> = [.utf16, .utf16LE, .utf16BE]
        let charset = message.charset(of: type)
        let searched = charset.flatMap { wide.contains($0) ? $0.text(decoded).map { Array($0.utf8) } : nil } ?? decoded
        let isForm = type?.essence == "application/x-www-form-urlencoded"
        let masked = text(searched, form: isForm ? .form : .text)
        if isCut { report.countCutBody() }
        guard masked != searched || isCut else { return message }
        bodies[side] = masked
        let isUTF8 = searched != decoded || message.body.archived?.form == .text && Charset.of(type) != .utf8
        return rewritten(message, length: masked.count, isCut: isCut, isUTF8: isUTF8)
    }

    /// What stands in the place of a body that cannot be searched.
    private static let withheld = Array("(withheld: this body has a content coding that inspect cannot undo)".utf8)

    /// Whether bytes that were said to be coded are a text all the same, so that secrets in them are found.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
            && String(validating: bytes, as: UTF8.self) != nil
    }

    /// The message with the measure of its new body: the old digest would tell whoever guesses, and the codings are undone.
    private func rewritten(_ message: Message, length: Int, isCut: Bool, isUTF8: Bool) -> Message {
        let missing: Int64 = isCut || message.body.isTruncated ? 1 : 0
        var rewritten = message.withPlainBody(length: Int64(length), isUTF8: isUTF8)
        rewritten.body = Body(length: Int64(length) + missing, kept: Int64(length), sha256: [])
        return rewritten
    }

    // MARK: texts

    private func sentence(_ text: String) -> String { ByteText.lossless(self.text(Array(text.utf8))) }

    /// A text without its secrets: those that are named, what the patterns asked for match, then those known from elsewhere.
    private func text(_ bytes: [UInt8], form: SecretScanner.Form = .text) -> [UInt8] {
        guard !bytes.isEmpty else { return bytes }
        var scanner = SecretScanner(bytes, form: form)
        let findings = scanner.run()
        var out = bytes
        if !findings.isEmpty {
            out = []
            var copied = 0
            for finding in findings where finding.range.lowerBound >= copied {
                out += bytes[copied..<finding.range.lowerBound]
                let name = mask(Array(bytes[finding.range]), finding.kind, finding.place)
                out += finding.needsQuotes ? [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")] : name
                copied = finding.range.upperBound
            }
            out += bytes[copied...]
        }
        out = patterns.reduce(out, apply)
        var found = 0
        if let replaced = vault.replaced(in: out, { found += 1 }) { out = replaced }
        for _ in 0..<found { report.count("elsewhere, the same value") }
        return out
    }

    private func apply(_ bytes: [UInt8], _ pattern: NSRegularExpression) -> [UInt8] {
        // Bytes that are no text are searched as one character each, and come back as they were.
        let utf8 = String(validating: bytes, as: UTF8.self)
        let text = utf8 ?? ByteText.lossless(bytes)
        func encoded(_ part: some StringProtocol) -> [UInt8] {
            utf8 != nil ? Array(part.utf8) : part.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
        var out: [UInt8] = []
        var copied = text.startIndex
        for match in pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
            let group = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
            guard let range = Range(group, in: text), range.lowerBound >= copied, !range.isEmpty else { continue }
            out += encoded(text[copied..<range.lowerBound])
            out += mask(encoded(text[range]), .pattern, "pattern \(pattern.pattern)")
            copied = range.upperBound
        }
        return copied == text.startIndex ? bytes : out + encoded(text[copied...])
    }

    /// The placeholder of a secret, counted; one that is a placeholder already stays.
    private func mask(_ secret: [UInt8], _ kind: SecretKind, _ place: String) -> [UInt8] {
        if vault.isName(secret) { return secret }
        report.count(place)
        let plain = PercentCoding.decoded(secret)
        // The same secret has the same name, whether a URL escapes it or not.
        let name = vault.name(plain, kind)
        vault.remember(secret, as: name)
        if plain != secret { vault.remember(plain, as: name) }
        return name
    }
}
