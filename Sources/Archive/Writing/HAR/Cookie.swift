/// A cookie as a Cookie or Set-Cookie field carries it (RFC 6265 §5.2), read leniently.
package struct Cookie: Hashable, Sendable {
    package var name: String
    package var value: String
    package var path: String?
    package var domain: String?
    /// Microseconds since 1970.
    package var expires: Int64?
    /// Seconds.
    package var maxAge: Int64?
    package var sameSite: String?
    package var isHTTPOnly = false
    package var isSecure = false

    /// The cookies of a request's Cookie field.
    package static func sent(_ field: String) -> [Cookie] {
        field.split(separator: ";").compactMap { part in
            let (name, value) = pair(part)
            return name.isEmpty && value.isEmpty ? nil : Cookie(name: name, value: value)
        }
    }

    /// The cookie of a response's Set-Cookie field; `nil` when it names none.
    package static func set(_ field: String) -> Cookie? {
        var parts = field.split(separator: ";", omittingEmptySubsequences: false)[...]
        guard let first = parts.popFirst(), first.contains("=") else { return nil }
        let (name, value) = pair(first)
        guard !name.isEmpty else { return nil }
        var cookie = Cookie(name: name, value: value)
        for part in parts {
            let (attribute, value) = pair(part, loneIsName: true)
            switch attribute.lowercased() {
            case "path": cookie.path = value
            case "domain": cookie.domain = value
            case "expires": cookie.expires = CookieDate.microseconds(value)
            case "max-age": cookie.maxAge = Int64(value)
            case "samesite": cookie.sameSite = value
            case "httponly": cookie.isHTTPOnly = true
            case "secure": cookie.isSecure = true
            default: break
            }
        }
        return cookie
    }

    private init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    private static func pair(_ text: Substring, loneIsName: Bool = false) -> (String, String) {
        guard let equals = text.firstIndex(of: "=") else {
            return loneIsName ? (trimmed(text), "") : ("", trimmed(text))
        }
        return (trimmed(text[..<equals]), trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
