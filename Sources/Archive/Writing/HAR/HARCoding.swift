import Traffic

/// Decides which Content-Encoding a HAR file may name in its `headers`.
///
/// HAR holds bodies decoded, and mitmproxy codes them again by that field when it reads a file: a coding that it does not know, or several at once,
/// makes it refuse the whole file. Such a field is left out of the list; an export keeps the head as it was in `_inspect`.
enum HARCoding {
    /// The codings that mitmproxy knows (`mitmproxy/net/encoding.py`).
    private static let known: Set<String> = ["none", "identity", "gzip", "deflate", "deflateraw", "br", "zstd"]

    /// Whether a file whose response has these fields can be read by everyone.
    static func isReadable(_ values: [String]) -> Bool {
        let value = ByteText.parted(values.joined(separator: ", ").lowercased())
        return value.isEmpty || known.contains(value)
    }

    /// The fields of a response that are listed.
    static func listed(_ fields: HeaderList) -> [HeaderList.Field] {
        guard !isReadable(fields.values("Content-Encoding")) else { return Array(fields) }
        return fields.filter { $0.name.lowercased() != "content-encoding" }
    }

    /// Whether an entry's response can be read by everyone.
    static func isReadable(entry: JSONValue) -> Bool {
        isReadable((entry["response"]?["headers"]?.elements ?? []).filter(isCoding).compactMap { $0["value"]?.string })
    }

    /// Removes the field from an entry's response.
    static func leaveOut(of entry: inout JSONValue) {
        guard var response = entry["response"], let headers = response["headers"]?.elements else { return }
        response.set("headers", .array(headers.filter { !isCoding($0) }))
        entry.set("response", response)
    }

    private static func isCoding(_ header: JSONValue) -> Bool {
        header["name"]?.string?.lowercased() == "content-encoding"
    }
}
