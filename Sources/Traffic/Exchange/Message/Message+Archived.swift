import NIOCore

extension Message {
    /// The content codings that the kept bytes of the body still have, in the order they were applied.
    package var codings: [String] { codings(in: fields) }

    /// The same by the field lines of its head, where they are at hand.
    package func codings(in fields: HeaderList) -> [String] {
        body.archived == nil ? ContentCoding.names(of: fields) : []
    }

    /// The charset that the kept bytes are read in; `nil` when the type names one we cannot read.
    package func charset(of type: MediaType?) -> Charset? {
        charset(naming: Charset.of(type))
    }

    /// The same by the charset of its type.
    func charset(naming named: Charset?) -> Charset? { body.archived?.form == .text ? .utf8 : named }

    /// The message with heads that describe the bytes that are kept, for sending them again or writing them out.
    ///
    /// Bytes from an archive have no codings left, so the codings' field goes, and the length is that of what is kept.
    package var describingKept: Message {
        guard let archived = body.archived else { return self }
        let charset = Charset.of(MediaType(fields.first("Content-Type")))
        return withPlainBody(
            length: body.kept,
            isUTF8: archived.form == .text && charset != nil && charset != .utf8
        )
    }

    /// The message with heads that describe another body: one without codings, of this length.
    ///
    /// - Parameters:
    ///   - length: bytes of the new body.
    ///   - isUTF8: whether it is a text in UTF-8 where the head names another charset.
    /// - Returns: the message; its measure stays the caller's.
    func withPlainBody(length: Int64, isUTF8: Bool) -> Message {
        var message = self
        let essence = isUTF8 ? MediaType(fields.first("Content-Type"))?.essence ?? "text/plain" : nil
        message.head = Message.adjusted(head, length: length, textType: essence)
        message.sentHead = sentHead.map { Message.adjusted($0, length: length, textType: essence) }
        return message
    }

    private static func adjusted(_ head: ByteBuffer, length: Int64, textType: String?) -> ByteBuffer {
        var out = ByteBuffer()
        let lines = head.readableBytesView.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let name = String(decoding: line.prefix { $0 != ASCII.colon }, as: UTF8.self).lowercased()
            let end = index < lines.count - 1 ? "\n" : ""
            switch name {
            case "content-encoding" where index > 0: continue
            case "content-length" where index > 0:
                out.writeBytes(line.prefix { $0 != ASCII.colon })
                out.writeString(": \(length)\r\(end)")
            case "content-type" where textType != nil && index > 0:
                out.writeString("Content-Type: \(textType ?? ""); charset=utf-8\r\(end)")
            default:
                out.writeBytes(line)
                out.writeString(end)
            }
        }
        return out
    }
}
