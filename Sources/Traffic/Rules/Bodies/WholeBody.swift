import NIOCore

/// A whole body, decoded, while it is edited.
struct WholeBody {
    /// Bytes of a content that is put in a body's place.
    private static let contentLimitBytes = 64 << 20

    /// Bytes that the body may have: so many as came, or were put in their place, and some more.
    private var limitBytes: Int
    /// What is said of the bytes; a new content may have another type.
    var kind: BodyKind
    private(set) var bytes: [UInt8]
    /// The characters that were looked up to read the bytes as text.
    private var known: [Charset: [UInt32: String]] = [:]

    init(_ bytes: [UInt8], _ kind: BodyKind) {
        (self.bytes, self.kind) = (bytes, kind)
        limitBytes = bytes.count + LiteralReplacer.growthLimit
    }

    /// Makes the changes of one rule.
    ///
    /// - Parameters:
    ///   - steps: the changes in their order.
    ///   - changes: gets what was changed.
    ///   - work: the work that is left for the body; it is reduced by what was done.
    /// - Throws: `RuleFault` where one of them cannot be made; the caller then takes the body as it was before.
    mutating func apply(
        _ steps: [BodyStep],
        _ changes: inout BodyChanges,
        _ work: inout EditWork
    ) throws(RuleFault) {
        for step in steps {
            guard work.isWanted() else { throw RuleFault("nobody waits for the body any more") }
            try apply(step, &changes, &work)
            guard bytes.count <= limitBytes else { throw WholeBody.tooLong }
        }
    }

    private mutating func apply(
        _ step: BodyStep,
        _ changes: inout BodyChanges,
        _ work: inout EditWork
    ) throws(RuleFault) {
        switch step {
        case .text(let text):
            // Without its mark a text in UTF-16 would be read in the other order of bytes.
            let mark = charset?.isPlain == false ? bytes.prefix(BodyStep.markLength(of: bytes, in: charset)) : []
            try put(mark + (try written(text)), &changes)
        case .bytes(let content): try put(content, &changes)
        case .json(let edit):
            guard let charset, charset.isPlain else { throw RuleFault("JSON in this charset is not edited") }
            bytes = try edit.apply(to: bytes, in: charset, &changes, &work)
        case .form(let edit):
            guard kind.type?.essence == "application/x-www-form-urlencoded" else {
                throw RuleFault("the body is no form")
            }
            bytes = try edit.apply(to: bytes, &changes, &work)
        case .replace(let replacement): try replace(replacement, &changes, &work)
        case .prepend(let text):
            bytes.insert(contentsOf: try written(text), at: BodyStep.markLength(of: bytes, in: charset))
            changes.add("prepended", text.isEmpty ? 0 : 1)
        case .append(let text):
            bytes += try written(text)
            changes.add("appended", text.isEmpty ? 0 : 1)
        }
    }

    /// Parts of a replacement that are written in the time in which a text is turned into another charset.
    private static let conversionParts = 30

    private static let tooLong = RuleFault("the body would grow by over \(LiteralReplacer.growthLimit >> 20) MiB")

    private mutating func put(_ content: [UInt8], _ changes: inout BodyChanges) throws(RuleFault) {
        guard content != bytes else { return }
        guard content.count <= WholeBody.contentLimitBytes else {
            throw RuleFault("the new body is over \(WholeBody.contentLimitBytes >> 20) MiB")
        }
        bytes = content
        limitBytes = max(limitBytes, content.count + LiteralReplacer.growthLimit)
        changes.add("body")
    }

    /// The charset in which the bytes are.
    private var charset: Charset? { kind.charset?.ordered(by: bytes) }

    /// A text as it is written into the body.
    private func written(_ text: String) throws(RuleFault) -> [UInt8] { try BodyStep.bytes(of: text, in: charset) }

    private mutating func replace(
        _ replacement: ReadyReplacement,
        _ changes: inout BodyChanges,
        _ work: inout EditWork
    ) throws(RuleFault) {
        if case .text(let find) = replacement.pattern, charset?.isPlain != false {
            return try replacePlain(find, replacement, &changes)
        }
        let charset = charset
        if case .regex = replacement.pattern, kind.type?.isBinary == true || charset == nil {
            throw RuleFault("the body is no text that can be read")
        }
        guard let text = PlacedText(bytes, charset ?? .utf8, &known, mayRead: { work.read($0) }) else {
            throw JSONDocument.tooMuch
        }
        let isConverted = charset != nil && charset != .utf8
        let hasGroups = replacement.with.contains { if case .group = $0 { true } else { false } }
        // What is written in the place of each match, where that is always the same.
        var plain: [UInt8]?
        var out: [UInt8] = []
        var end = 0
        var count = 0
        var fault: RuleFault?
        // Each match is written as it is found: a long body has millions of them.
        let parts = replacement.with.count + (isConverted && hasGroups ? WholeBody.conversionParts : 0)
        let isFound = replacement.pattern.find(in: text.utf8, &work, parts: parts) { match in
            do throws(RuleFault) {
                var with: [UInt8] = []
                guard replacement.write(match, of: text.utf8, into: &with, limit: limitBytes) else {
                    throw WholeBody.tooLong
                }
                guard !with.elementsEqual(text.utf8[match.range]) else { return !replacement.isFirstOnly }
                if let plain {
                    with = plain
                } else if isConverted {
                    with = try written(String(decoding: with, as: UTF8.self))
                    if !hasGroups { plain = with }
                }
                let place = text.place(of: match.range)
                out += bytes[end..<place.lowerBound]
                out += with
                end = place.upperBound
                count += 1
                guard out.count <= limitBytes else { throw WholeBody.tooLong }
            } catch {
                fault = error
            }
            return fault == nil && !replacement.isFirstOnly
        }
        if let fault { throw fault }
        guard isFound else {
            if case .text = replacement.pattern { throw JSONDocument.tooMuch }
            throw ReadyReplacement.tooMuch
        }
        guard count > 0 else { return }
        bytes = out + bytes[end...]
        changes.add(replacement.pattern.name, count)
    }

    /// Replaces a text where no byte of a character can be taken for another.
    private mutating func replacePlain(
        _ find: String,
        _ replacement: ReadyReplacement,
        _ changes: inout BodyChanges
    ) throws(RuleFault) {
        var replacer = try LiteralReplacer(replacement, find, in: charset)
        var room = limitBytes - bytes.count
        var edited = replacer.take(ByteBuffer(bytes: bytes), isLast: true, room: &room)
        guard !replacer.isCut else { throw WholeBody.tooLong }
        guard replacer.count > 0 else { return }
        bytes = edited.readBytes(length: edited.readableBytes) ?? []
        changes.add(replacement.pattern.name, replacer.count)
    }
}

extension TextReplacement.Pattern {
    /// Finds what is replaced in a text, from left to right.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - work: the work that is left; it is reduced by what was done.
    ///   - parts: parts of the text that is written in the place of each match.
    ///   - take: takes each match as it is found; `false` where no more are wanted.
    /// - Returns: whether all that were wanted were found.
    fileprivate func find(
        in text: [UInt8],
        _ work: inout EditWork,
        parts: Int,
        _ take: (RegexSearch.Match) -> Bool
    ) -> Bool {
        switch self {
        case .regex(let regex): return regex.find(in: text, work: &work, parts: parts, take)
        case .text(let find):
            let wanted = Array(find.utf8)
            let search = ByteSearch(wanted)
            return text.withUnsafeBytes { bytes in
                var start = 0
                var count = 0
                while let place = search.next(in: bytes, from: start) {
                    start = place + wanted.count
                    count += 1
                    guard count % Self.matchesAtOnce > 0 || work.read(Self.matchesAtOnce * Self.matchWork) else {
                        return false
                    }
                    guard take(RegexSearch.Match(range: place..<start, groups: [])) else { break }
                }
                return true
            }
        }
    }

    /// Bytes of JSON that are read in the time in which a text that was found is written anew.
    private static let matchWork = 8
    /// Texts that are found between two questions whether somebody waits for them.
    private static let matchesAtOnce = 1_024
}
