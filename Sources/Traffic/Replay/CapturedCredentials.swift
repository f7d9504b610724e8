/// Tells which parts of a recorded request let somebody in: they are sent to nobody else.
enum CapturedCredentials {
    /// Whether a field is one: by its name, or because a secret stands in its value.
    static func isField(_ name: String, _ value: [UInt8]) -> Bool {
        switch name.lowercased() {
        case "authorization", "proxy-authorization", "cookie", "cookie2": return true
        case "host", "content-length", "content-type", "accept": return false
        default:
            if SecretKind(name: name.utf8) != nil { return true }
            // CloudKit's key is named by its identifier, beside the signature.
            if name.lowercased().hasSuffix("keyid") { return true }
            var scanner = SecretScanner(value)
            return !scanner.run().isEmpty
        }
    }

    /// Whether a query item is one, as it stands in the target.
    static func isQueryItem(_ item: Substring) -> Bool {
        let name = item.prefix { $0 != "=" }
        if SecretKind(name: PercentCoding.decoded(name.utf8)) != nil { return true }
        var scanner = SecretScanner(PercentCoding.decoded(item.dropFirst(name.count + 1).utf8))
        return !scanner.run().isEmpty
    }

    /// What in a body is one, as the report of an export names it; `nil` where nothing looks like it.
    static func inBody(_ message: Message, _ body: [UInt8]) throws -> String? {
        let type = MediaType(message.fields.first("Content-Type"))
        guard !body.isEmpty, type?.isBinary != true else { return nil }
        let decoded = try CapturedBody(of: message, limitBytes: BodyDiff.limitBytes) { offset, limit in
            Array(body.dropFirst(Int(clamping: offset)).prefix(limit))
        }
        let isForm = type?.essence == "application/x-www-form-urlencoded"
        var scanner = SecretScanner(decoded.bytes, form: isForm ? .form : .text)
        return scanner.run().first?.place
    }
}
