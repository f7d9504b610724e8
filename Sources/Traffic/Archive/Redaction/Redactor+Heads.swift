import Foundation
import NIOCore

/// Heads, targets and trailers without their secrets.
extension Redactor {
    /// A message with its heads and trailers masked.
    func message(_ message: Message) -> Message {
        var message = message
        message.head = head(message.head)
        message.sentHead = message.sentHead.map { sent in uncounted { head(sent) } }
        message.trailers = message.trailers.map { head($0, hasStartLine: false) }
        return message
    }

    /// A head line by line, or trailers without a start line.
    func head(_ head: ByteBuffer, hasStartLine: Bool = true) -> ByteBuffer {
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
    func target(_ target: [UInt8]) -> [UInt8] {
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
        case "sec-websocket-protocol": masked = subprotocols(value)
        default:
            let doubtful = SecretKind(doubtful: name).flatMap { SecretKind.isMade(value, inQuery: false) ? $0 : nil }
            let kind = SecretKind(name: name) ?? doubtful
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
