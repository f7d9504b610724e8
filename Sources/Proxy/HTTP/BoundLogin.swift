import NIOCore
import Traffic

/// Logins that hold for a whole connection and not for one request: NTLM, and Negotiate (RFC 4559 §6).
enum BoundLogin {
    /// Whether a request makes such a login.
    static func isMade(by request: HeaderList) -> Bool {
        request.indices.contains { request.isNamed("authorization", at: $0) && namesScheme(request, $0) }
    }

    /// Whether a response asks for such a login, or continues one.
    static func isAsked(by response: ResponseHead) -> Bool {
        guard response.code == 401 || response.code == 407 else { return false }
        let fields = response.fields
        return fields.indices.contains {
            (fields.isNamed("www-authenticate", at: $0) || fields.isNamed("proxy-authenticate", at: $0))
                && namesScheme(fields, $0)
        }
    }

    /// Whether a member of a field's list begins with one of the schemes (RFC 9110 §11.3).
    private static func namesScheme(_ fields: HeaderList, _ position: Int) -> Bool {
        fields.members(at: position).contains { member in
            let scheme = member.utf8.prefix { !ASCII.isBlank($0) }
            return scheme.elementsEqual("ntlm".utf8) || scheme.elementsEqual("negotiate".utf8)
        }
    }
}
