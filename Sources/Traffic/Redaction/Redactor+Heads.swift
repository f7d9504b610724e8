import NIOCore

/// Masks the secrets of heads, targets and trailers.
extension Redactor {
    /// A message with its heads and trailers masked, and what an archive says is wrong with its body.
    func message(_ message: Message) -> Message {
        var message = message
        message.head = head(message.head)
        message.sentHead = message.sentHead.map { sent in uncounted { head(sent) } }
        message.trailers = message.trailers.map { head($0, hasStartLine: false) }
        message.body.archived = message.body.archived.map { archived in
            ArchivedBody(
                form: archived.form,
                size: archived.size,
                kept: archived.kept,
                problem: archived.problem.map(sentence)
            )
        }
        return message
    }

    /// What a rule did, with its words masked: a removed query item may have a secret for its name, and a fault may show a target.
    ///
    /// A rule's name is the user's own.
    func use(_ use: RuleUse) -> RuleUse {
        var use = use
        (use.what, use.note) = (sentence(use.what), use.note.map(sentence))
        return use
    }

    /// Masks a head line by line, or trailers without a start line; a field with its continuation lines (RFC 9112 §5.2) counts as one line.
    func head(_ head: ByteBuffer, hasStartLine: Bool = true) -> ByteBuffer {
        var out = ByteBuffer()
        var lines: [[UInt8]] = []
        for line in head.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false) {
            if let last = lines.indices.last, last > 0 || !hasStartLine, line.first.map(ASCII.isBlank) == true {
                lines[last].append(ASCII.lineFeed)
                lines[last] += line
            } else {
                lines.append(Array(line))
            }
        }
        for (index, line) in lines.enumerated() {
            out.writeBytes(index == 0 && hasStartLine ? startLine(line) : field(line))
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
    func target(_ target: [UInt8]) -> [UInt8] {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return text(target) }
        return text(Array(target[...mark])) + text(Array(target[(mark + 1)...]), form: .form)
    }

    private func field(_ line: [UInt8]) -> [UInt8] {
        guard let colon = line.firstIndex(of: ASCII.colon) else { return text(line) }
        let name = line[..<colon]
        let start = line[(colon + 1)...].firstIndex { $0 > ASCII.space } ?? line.endIndex
        let end = (line[start...].lastIndex { $0 > ASCII.space } ?? start - 1) + 1
        guard start < end else { return line }
        let folded = Array(line[start..<end])
        let value = Redactor.unfolded(folded)
        let masked = field(ASCII.lower(String(decoding: name, as: UTF8.self)), name, value)
        return line[..<start] + (masked == value ? folded : masked) + line[end...]
    }

    /// A value on one line; its line ends may stand in the middle of a secret.
    private static func unfolded(_ value: [UInt8]) -> [UInt8] {
        guard value.contains(ASCII.lineFeed) else { return value }
        let lines = value.split(separator: ASCII.lineFeed).map { line in
            let end = (line.lastIndex { $0 > ASCII.space } ?? line.startIndex - 1) + 1
            return line[..<end].drop { $0 <= ASCII.space }
        }
        return Array(lines.joined(separator: [ASCII.space]))
    }

    private func field(_ word: String, _ name: ArraySlice<UInt8>, _ value: [UInt8]) -> [UInt8] {
        switch word {
        case "cookie": return cookies(value)
        case "set-cookie": return setCookie(value)
        case "authorization", "proxy-authorization": return credentials(value, word)
        case "sec-websocket-protocol": return subprotocols(value)
        default:
            let doubtful = SecretKind(doubtful: name).flatMap { SecretKind.isMade(value, inQuery: false) ? $0 : nil }
            guard let kind = SecretKind(name: name) ?? doubtful, !SecretKind.isNothing(value) else {
                return text(value)
            }
            return mask(value, kind, "header \(word)")
        }
    }

    /// A Cookie field with every value masked, and its names kept.
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

    /// A Set-Cookie field with its value masked; further cookies may follow commas, because some programs join them.
    private func setCookie(_ value: [UInt8]) -> [UInt8] {
        let parts = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let masked = parts.enumerated().map { index, part -> [UInt8] in
            if index == 0 { return cookies(Array(part)) }
            let pieces = part.split(separator: ASCII.comma, omittingEmptySubsequences: false).map { piece -> [UInt8] in
                let name = piece.prefix { $0 != UInt8(ascii: "=") }.filter { !ASCII.isBlank($0) }.map(ASCII.lower)
                let isCookie = piece.contains(UInt8(ascii: "=")) && !Redactor.cookieAttributes.contains(name)
                return isCookie ? cookies(Array(piece)) : text(Array(piece))
            }
            return Array(pieces.joined(separator: [ASCII.comma]))
        }
        return Array(masked.joined(separator: [UInt8(ascii: ";")]))
    }

    /// The attributes of cookies (RFC 6265 §5.2 and later).
    private static let cookieAttributes = Set(
        ["path", "domain", "expires", "max-age", "samesite", "priority", "version", "comment"].map { Array($0.utf8) }
    )

    /// Masks credentials and keeps their scheme; a user and a password in Basic are recognised from then on.
    private func credentials(_ value: [UInt8], _ name: String) -> [UInt8] {
        guard let blank = value.firstIndex(of: ASCII.space),
            SecretKind.isScheme(value[..<blank]) || blank <= 20 && value[..<blank].allSatisfy(Redactor.isSchemeByte)
        else { return mask(value, .token, "header \(name)") }
        let secret = Array(value[(blank + 1)...])
        let isBasic = value[..<blank].map(ASCII.lower).elementsEqual("basic".utf8)
        let kind: SecretKind = isBasic ? .password : .token
        let masked = mask(secret, kind, "header \(name)")
        if isBasic, let pair = Base64Decoder.bytes(String(decoding: secret, as: UTF8.self)) {
            let password = Array(pair.drop { $0 != ASCII.colon }.dropFirst())
            if !password.isEmpty { remember([password], .password, as: vault.name(password, .password)) }
        }
        return value[...blank] + masked
    }

    /// An unknown scheme has only letters and hyphens; a secret has digits.
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
    }

    private func subprotocols(_ value: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var copied = 0
        for range in SecretScanner.subprotocols(value) {
            out += value[copied..<range.lowerBound] + mask(Array(value[range]), .token, "header sec-websocket-protocol")
            copied = range.upperBound
        }
        return text(out + value[copied...])
    }
}
