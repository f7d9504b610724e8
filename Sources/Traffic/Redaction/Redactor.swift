package import Foundation
import NIOCore

/// Replaces the secrets of exchanges by placeholders on their way into an export: in heads, targets, bodies, trailers, messages, and in what people
/// wrote about them.
///
/// It works on one exchange at a time: `redact` gives the record without secrets, and until the next call `body` and `message` give the rest of that
/// exchange. A secret that only a later exchange names is masked in an earlier one where `learn` was called with both before.
package final class Redactor {
    /// Secrets of one text that are kept apart; everything after them is masked as one.
    package static let findingLimit = 200_000
    /// The most bytes of a body that are decoded and searched; the export leaves the rest out and marks the body as cut.
    private static let bodyLimitBytes = 32 << 20
    /// The text in place of a body that cannot be searched.
    private static let withheld = Array("(withheld: this body has a content coding that inspect cannot undo)".utf8)

    /// What was masked so far.
    package var report: RedactionReport {
        var report = counted
        report.forgetsSecrets = vault.isFull
        return report
    }
    var counted = RedactionReport()
    var vault: SecretVault
    private let findingLimit: Int
    private let window: SearchWindow
    /// What the messages of one exchange may unpack to beyond so many times their own bytes, and what is left of it.
    private let unpackedLimitBytes: Int
    private var unpackedLeft: Int
    private static let unpackedTimes = 16
    private let patterns: [NSRegularExpression]
    /// The bodies that differ from the stored ones.
    private var bodies: [MessageSide: [UInt8]] = [:]
    private var current: ExchangeID = 0

    /// Prepares an export.
    ///
    /// - Parameters:
    ///   - patterns: further texts to mask: the first group where there is one, else the whole match.
    ///   - knownLimit: secrets that are recognised where no name tells of them; the report says when there are more.
    ///   - knownLimitBytes: the bytes of those secrets.
    ///   - findingLimit: secrets of one text that are kept apart.
    ///   - window: how much of an escaped text is searched at a time.
    ///   - unpackedLimitBytes: what an exchange's messages may unpack to beyond 16 times their bytes; the rest is left out.
    ///   - digest: a digest under a key that nobody else has; at least 16 bytes.
    package init(
        patterns: [NSRegularExpression] = [],
        knownLimit: Int = 20_000,
        knownLimitBytes: Int = 16 << 20,
        findingLimit: Int = Redactor.findingLimit,
        window: SearchWindow = .standard,
        unpackedLimitBytes: Int = 64 << 20,
        digest: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.patterns = patterns
        self.findingLimit = findingLimit
        self.window = window
        (self.unpackedLimitBytes, unpackedLeft) = (unpackedLimitBytes, unpackedLimitBytes)
        vault = SecretVault(knownLimit: knownLimit, knownLimitBytes: knownLimitBytes, digest: digest)
    }

    /// Learns an exchange's secrets, so that they are masked wherever else they stand; nothing is added to the report.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - source: its bodies' stored bytes.
    ///   - messages: the messages of its stream, page by page.
    /// - Throws: what `source` and `messages` throw.
    package func learn(
        _ record: ExchangeRecord,
        source: ArchiveSource,
        messages: MessageSource = { _, _ in [] }
    ) throws {
        let before = counted
        defer { counted = before }
        _ = try masked(record, source)
        guard record.exchange.messages.total > 0 || record.exchange.outcome == .pending else { return }
        var last: Int64 = 0
        while case let page = try messages(record.exchange.id, last), let number = page.last?.number, number > last {
            for message in page { _ = self.message(message) }
            last = number
        }
    }

    /// The record without secrets.
    ///
    /// - Parameters:
    ///   - record: the exchange.
    ///   - source: its bodies' stored bytes.
    /// - Returns: what to write in the record's place.
    /// - Throws: what `source` throws.
    package func redact(_ record: ExchangeRecord, source: ArchiveSource) throws -> ExchangeRecord {
        let before = (counted: counted, known: vault.knownCount)
        let first = try masked(record, source)
        guard vault.knownCount > before.known else { return first }
        // A secret before the place that names it is found the second time.
        counted = before.counted
        return try masked(record, source)
    }

    private func masked(_ record: ExchangeRecord, _ source: ArchiveSource) throws -> ExchangeRecord {
        var exchange = record.exchange
        current = exchange.id
        bodies = [:]
        unpackedLeft = unpackedLimitBytes
        // The target is part of the head, and the sent head repeats the received one; neither counts twice.
        uncounted {
            exchange.target = ByteText.passed(target(Array(exchange.target.utf8)))
            exchange.host = sentence(exchange.host)
            exchange.method = sentence(exchange.method)
        }
        exchange.request = message(exchange.request)
        exchange.response = exchange.response.map(message)
        exchange.mediaType = mediaType(of: record.exchange, in: exchange.response)
        if !exchange.isWebSocket {
            exchange.request = try withBody(.request, exchange.request, of: record.exchange, source)
            exchange.response = try exchange.response.map { try withBody(.response, $0, of: record.exchange, source) }
        }
        exchange.interim = exchange.interim.map { head($0) }
        exchange.ownResponse = exchange.ownResponse.map { ByteBuffer(bytes: text(Array($0.readableBytesView))) }
        if let failure = exchange.failure {
            // The cause of an archive may be any text.
            exchange.failure?.cause = Cause(rawValue: sentence(failure.cause.rawValue))
            exchange.failure?.message = sentence(failure.message)
        }
        exchange.warnings = exchange.warnings.map(sentence)
        exchange.rules = exchange.rules.map(use)
        exchange.client = peer(exchange.client)
        exchange.upstream = exchange.upstream.map(peer)
        var summary = words(of: record.summary)
        (summary.target, summary.failure) = (exchange.target, exchange.failure)
        (summary.host, summary.method) = (exchange.host, exchange.method)
        summary.mediaType =
            summary.mediaType == record.exchange.mediaType ? exchange.mediaType : summary.mediaType.map(sentence)
        return ExchangeRecord(exchange: exchange, summary: summary)
    }

    /// The media type in the masked head, where the exchange's type came from a head at all.
    private func mediaType(of exchange: Exchange, in masked: Message?) -> String? {
        func named(_ message: Message?) -> String? { MediaType(message?.fields.first("Content-Type"))?.essence }
        return exchange.mediaType == named(exchange.response) ? named(masked) : exchange.mediaType.map(sentence)
    }

    /// An exchange's line, with the words of people and programs masked.
    private func words(of summary: ExchangeSummary) -> ExchangeSummary {
        var line = summary
        line.clientName = line.clientName.map(sentence)
        line.process = line.process.map(sentence)
        line.session = line.session.map(sentence)
        line.marks.note = line.marks.note.map(sentence)
        line.marks.tags = line.marks.tags.map(sentence)
        return line
    }

    /// A connection with its names masked: the program's name, the host's name, and the certificates with that.
    private func peer(_ peer: Peer) -> Peer {
        uncounted {
            var (tls, process) = (peer.tls, peer.process)
            tls?.serverName = peer.tls?.serverName.map(sentence)
            if tls?.serverName != peer.tls?.serverName { tls?.certificates = [] }
            if let name = peer.process?.name { process?.name = sentence(name) }
            process?.executable = peer.process?.executable.map(sentence)
            guard tls != peer.tls || process != peer.process else { return peer }
            return Peer(
                token: peer.token,
                address: peer.address,
                tls: tls,
                process: process,
                hello: peer.hello,
                runtime: peer.runtime
            )
        }
    }

    /// Masks without adding to the report.
    func uncounted<Value>(_ masking: () -> Value) -> Value {
        let before = counted
        defer { counted = before }
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
        let free = Redactor.unpackedTimes * before.count
        let body = SearchedBody(before, limitBytes: min(Redactor.bodyLimitBytes, free + unpackedLeft))
        unpackedLeft = min(unpackedLeft, max(0, unpackedLeft + free - body.unpackedBytes))
        let found = masks(in: body, .text)
        let after = masked(body.bytes, found.masks, .text)
        if body.content == .bytes, !message.isControl { counted.countUnsearchedMessage() }
        if found.isCut { counted.countCutBody() }
        if after != body.bytes || found.isCut {
            let missing = max(message.size - Int64(before.count), found.isCut ? 1 : 0)
            message.size = Int64(after.count) + missing
            message.payload = ByteBuffer(bytes: after)
        }
        message.eventName = message.eventName.map(sentence)
        message.eventID = message.eventID.map(sentence)
        message.problem = message.problem.map(sentence)
        return message
    }

    /// Masks a text that is no part of an exchange: a value under its name, as JSON.
    package func masked(_ text: String) -> String { sentence(text) }

    // MARK: bodies

    /// Masks the body of a message whose head is masked already; the unmasked head describes the body.
    private func withBody(
        _ side: MessageSide,
        _ message: Message,
        of exchange: Exchange,
        _ source: ArchiveSource
    ) throws -> Message {
        guard message.body.kept > 0, let original = side == .request ? exchange.request : exchange.response else {
            return message
        }
        let body = try withoutActuallyEscaping(source) { source in
            try SearchedBody(of: original, limitBytes: Redactor.bodyLimitBytes) {
                try source(exchange.id, side, $0, $1)
            }
        }
        let type = MediaType(original.fields.first("Content-Type"))
        switch body.content {
        case .text: break
        case .bytes:
            counted.countUnsearchedBody()
            if type?.isBinary == true { return message }
        case .coded:
            counted.countWithheldBody()
            bodies[side] = Redactor.withheld
            return rewritten(message, length: Redactor.withheld.count, isCut: true, isUTF8: true)
        }
        let form = SecretScanner.Form(of: original, target: exchange.target).reading(body.bytes)
        let (masks, isCut) = self.masks(in: body, form)
        let masked = masked(body.bytes, masks, form, isJSON: type?.isJSON == true)
        if isCut { counted.countCutBody() }
        guard masked != body.bytes || isCut else { return message }
        bodies[side] = masked
        let isUTF8 = !body.isAsDeclared || message.body.archived?.form == .text && Charset.of(type) != .utf8
        return rewritten(message, length: masked.count, isCut: isCut, isUTF8: isUTF8)
    }

    /// The masks of a body, and whether it has to end early: a part that could not be decoded is left out.
    private func masks(in body: SearchedBody, _ form: SecretScanner.Form) -> (masks: [Mask], isCut: Bool) {
        var masks = masks(in: body.bytes, form)
        if let wide = body.wide {
            let hidden = self.masks(in: wide.bytes, form)
            let places = wide.places(of: hidden.map(\.range), in: body.bytes)
            masks += zip(hidden, places).map { $0.at($1) }
        }
        // What cannot be shown without a secret is left out.
        return (masks, body.isCut || body.packed.map { !self.masks(in: $0, form).isEmpty } ?? false)
    }

    /// The message with the measure of its new body: the old digest would confirm a guess, and the codings are undone.
    private func rewritten(_ message: Message, length: Int, isCut: Bool, isUTF8: Bool) -> Message {
        let missing: Int64 = isCut || message.body.isTruncated ? 1 : 0
        var rewritten = message.withPlainBody(length: Int64(length), isUTF8: isUTF8)
        rewritten.body = Body(length: Int64(length) + missing, kept: Int64(length), sha256: [])
        return rewritten
    }

    // MARK: texts

    func sentence(_ text: String) -> String { ByteText.passed(self.text(Array(text.utf8))) }

    /// Masks a text: secrets that have a name, matches of the patterns, and secrets known from elsewhere.
    ///
    /// All are searched for in the text as it came; where one cuts another short, both are masked.
    func text(_ bytes: [UInt8], form: SecretScanner.Form = .text) -> [UInt8] {
        masked(bytes, masks(in: bytes, form), form)
    }

    private func masks(in bytes: [UInt8], _ form: SecretScanner.Form) -> [Mask] {
        guard !bytes.isEmpty else { return [] }
        var findings = SecretSearch.findings(in: bytes, form: form, window: window, limit: findingLimit) {
            self.vault.isName($0)
        }
        if !patterns.isEmpty { findings = SecretSearch.joined(findings + patterns.flatMap { matches($0, in: bytes) }) }
        var masks: [Mask] = []
        for finding in findings {
            // A longer part is not recognised elsewhere, and there may be as many parts as the whole has bytes.
            for part in finding.parts where !part.isLocal && part.range.count <= SecretVault.longestKnownBytes {
                _ = name(Array(bytes[part.range]), part.kind)
            }
            guard let name = name(Array(bytes[finding.range]), finding.kind, isLocal: finding.isLocal) else { continue }
            masks.append(Mask(range: finding.range, name: name, quote: finding.quote, place: finding.place))
        }
        // No form has quotation marks, so an item with one is JSON that was put there as it is, and may hold `&`.
        if form == .form, bytes.contains(UInt8(ascii: "\"")) { masks += self.masks(in: bytes, .text) }
        return masks + known(in: bytes, form)
    }

    /// The secrets of a text that are known from elsewhere, escaped ones too.
    private func known(in bytes: [UInt8], _ form: SecretScanner.Form) -> [Mask] {
        guard vault.knownCount > 0 else { return [] }
        let place = "elsewhere, the same value"
        var masks = vault.occurrences(in: bytes).map { Mask(range: $0.range, name: $0.name, place: place) }
        var inside: [Mask] = []
        Base64Text.each(in: bytes, form: form, window: window) { piece in
            masks += vault.occurrences(in: piece.bytes).map {
                Mask(range: piece.place($0.range), name: $0.name, place: place)
            }
        } _: { range, inner in
            guard let hit = vault.occurrences(in: inner).first else { return }
            inside.append(Mask(range: range, name: hit.name, place: place))
        }
        return masks + inside
    }

    /// Puts masks on a text and counts them; a JSON number with a mask in it becomes a string.
    private func masked(
        _ bytes: [UInt8],
        _ masks: [Mask],
        _ form: SecretScanner.Form,
        isJSON: Bool = false
    ) -> [UInt8] {
        guard !masks.isEmpty else { return bytes }
        let joined = Mask.joined(masks)
        for mask in joined { counted.count(mask.place) }
        let bare = joined.filter { $0.isNumber(in: bytes) }.map(\.range)
        let numbers = JSONNumbers.holding(bare, in: bytes, form: form, window: window, isJSON: isJSON)
        return Mask.put(joined, on: bytes, numbers)
    }

    /// The matches of a pattern: its first group where it has one.
    private func matches(_ pattern: NSRegularExpression, in bytes: [UInt8]) -> [SecretScanner.Finding] {
        // Bytes that are no text are searched as one character each.
        let utf8 = String(validating: bytes, as: UTF8.self)
        let text = utf8 ?? ByteText.passed(bytes)
        var findings: [SecretScanner.Finding] = []
        var (index, offset) = (text.startIndex, 0)
        for match in pattern.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
            let group = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
            guard let range = Range(group, in: text), range.lowerBound >= index, !range.isEmpty else { continue }
            func length(_ part: Substring) -> Int { utf8 == nil ? part.unicodeScalars.count : part.utf8.count }
            let start = offset + length(text[index..<range.lowerBound])
            (index, offset) = (range.upperBound, start + length(text[range]))
            findings.append(
                SecretScanner.Finding(range: start..<offset, kind: .pattern, place: "pattern \(pattern.pattern)")
            )
        }
        return findings
    }

    /// The placeholder of a secret, which is counted; a placeholder stays as it is.
    func mask(_ secret: [UInt8], _ kind: SecretKind, _ place: String) -> [UInt8] {
        guard let name = name(secret, kind) else { return secret }
        counted.count(place)
        return name
    }

    /// The placeholder of a secret; `nil` where the text is a placeholder already.
    ///
    /// A local secret, or a common value, is masked here alone.
    private func name(_ secret: [UInt8], _ kind: SecretKind, isLocal: Bool = false) -> [UInt8]? {
        // The same secret has the same name, however a text escapes it.
        let spellings = DecodedPiece.spellings(of: secret)
        guard let plain = spellings.last, !vault.isName(plain) else { return nil }
        let name = vault.name(plain, kind)
        guard !isLocal else { return name }
        let bare = spellings.map(Redactor.unquoted)
        remember(bare, kind, as: bare.last == plain ? name : vault.name(bare.last ?? plain, kind))
        if let blank = plain.firstIndex(of: ASCII.space), SecretKind.isScheme(plain[..<blank]) {
            let credentials = Array(plain[(blank + 1)...])
            remember([credentials], kind, as: vault.name(credentials, kind))
        }
        return name
    }

    /// A secret without the quotation marks at its ends: elsewhere they may belong to the text, which would be no JSON once they are masked.
    private static func unquoted(_ secret: [UInt8]) -> [UInt8] {
        func isNoMark(_ byte: UInt8) -> Bool { !"\"'`\\".utf8.contains(byte) }
        guard let first = secret.firstIndex(where: isNoMark), let last = secret.lastIndex(where: isNoMark)
        else { return [] }
        return last - first + 1 == secret.count ? secret : Array(secret[first...last])
    }

    /// Remembers a secret, so that it is masked wherever it stands, in all its spellings, unless that would mask common values.
    func remember(_ spellings: [[UInt8]], _ kind: SecretKind, as name: [UInt8]) {
        // A `+` of a date is a blank in a form's spelling.
        guard kind == .pattern || !spellings.contains(where: { SecretKind.isCommon($0) }) else { return }
        for spelling in spellings { vault.remember(spelling, as: name) }
    }
}
