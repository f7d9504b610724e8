/// A media type as a Content-Type field names it (RFC 9110 §8.3.1), read leniently.
package struct MediaType: Hashable, Sendable {
    /// Type and subtype in lower case, `application/json`; never empty.
    package let essence: String
    /// The parameters in order, names in lower case, values without quotes.
    package let parameters: [Parameter]

    /// One `name=value`.
    package struct Parameter: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// Reads a field's value; `nil` when it names no type.
    package init?(_ field: String?) {
        // A rule may have written it, or an archive.
        guard let field = field.map(ByteText.parted) else { return nil }
        var parts = MediaType.split(field, at: UInt8(ascii: ";"))[...]
        guard let first = parts.popFirst() else { return nil }
        let essence = MediaType.trimmed(first).lowercased()
        guard !essence.isEmpty else { return nil }
        self.essence = essence
        parameters = parts.compactMap { part in
            guard let equals = part.firstIndex(of: "=") else { return nil }
            let name = MediaType.trimmed(part[..<equals]).lowercased()
            let value = MediaType.unquoted(MediaType.trimmed(part[part.index(after: equals)...]))
            return name.isEmpty ? nil : Parameter(name: name, value: value)
        }
    }

    /// The `charset` parameter in lower case.
    package var charset: String? { parameters.first { $0.name == "charset" }?.value.lowercased() }

    /// What stands before the slash.
    package var type: Substring { essence[..<slash] }

    /// What stands after the slash.
    package var subtype: Substring {
        let slash = slash
        return slash < essence.endIndex ? essence[essence.utf8.index(after: slash)...] : ""
    }

    /// Where the first slash stands; the end where there is none.
    private var slash: String.Index { essence.utf8.firstIndex(of: UInt8(ascii: "/")) ?? essence.endIndex }

    /// Whether the body is JSON, or a sequence of JSON texts.
    package var isJSON: Bool {
        essence == "text/json" || essence.hasSuffix("+json")
            || type == "application" && MediaType.jsonSubtypes.contains(String(subtype))
    }

    /// Whether the body is XML, an SVG image included.
    package var isXML: Bool {
        essence.hasSuffix("+xml") || essence == "application/xml" || essence == "text/xml"
    }

    /// Whether the body is a picture.
    package var isImage: Bool { type == "image" }

    /// Whether the body is meant to be read as text.
    package var isTextual: Bool {
        type == "text" || isJSON || isXML
            || type == "application" && MediaType.textualSubtypes.contains(String(subtype))
    }

    /// Whether the body is certainly not text: a picture other than SVG, sound, film or a font.
    package var isBinary: Bool {
        ["image", "audio", "video", "font"].contains(type) && !isXML
    }

    private static let jsonSubtypes: Set = [
        "json", "ndjson", "x-ndjson", "jsonl", "json-seq", "x-json", "json5", "manifest+json",
    ]

    private static let textualSubtypes: Set = [
        "javascript", "x-javascript", "ecmascript", "x-www-form-urlencoded", "graphql", "yaml", "x-yaml", "toml", "sql",
        "x-sh", "x-httpd-php", "x-mpegurl", "vnd.apple.mpegurl", "x-pem-file", "rtf", "x-tex",
    ]
}

extension MediaType {
    /// Splits at a separator that is not inside a quoted string (RFC 9110 §5.6.4).
    private static func split(_ text: String, at separator: UInt8) -> [Substring] {
        guard text.utf8.contains(separator) else { return [text[...]] }
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = text.utf8.index(after: index)
            }
        }
        parts.append(text[start...])
        return parts
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let byte = text.utf8.first, isBlank(byte, text.first) { text.removeFirst() }
        while let byte = text.utf8.last, isBlank(byte, text.last) { text.removeLast() }
        return text
    }

    /// Whether a character is white space; it is looked at only where its byte does not tell.
    private static func isBlank(_ byte: UInt8, _ character: @autoclosure () -> Character?) -> Bool {
        (0x21...0x7F).contains(byte) ? false : character()?.isWhitespace == true
    }

    private static func unquoted(_ text: Substring) -> String {
        guard text.count >= 2, text.first == "\"", text.last == "\"" else { return String(text) }
        var result = ""
        var isEscaped = false
        for character in text.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                result.append(character)
                isEscaped = false
            }
        }
        return result
    }
}
