/// Finds the credentials in a recorded request, which are for its own origin alone.
///
/// A credential is what an export masks, found by the same names and looks.
enum CapturedCredentials {
    /// What a body holds.
    enum Content: Equatable {
        /// Nothing that looks like a credential.
        case nothing
        /// A credential, as the report of an export names it.
        case credential(String)
        /// The body could not be searched.
        case unsearched
    }

    /// Whether a field is a credential: by its name, or because a secret stands in its value.
    static func isField(_ name: String, _ value: [UInt8]) -> Bool {
        switch ASCII.lower(name) {
        case "host", "content-length", "content-type", "accept": false
        case "sec-websocket-protocol" where !SecretScanner.subprotocols(value).isEmpty: true
        default:
            SecretKind(name: name.utf8) != nil || !SecretSearch.findings(in: value).isEmpty
                || SecretKind(doubtful: name.utf8) != nil && SecretKind.isMade(value, inQuery: false)
        }
    }

    /// Whether a query item, as it stands in the target, is a credential.
    static func isQueryItem(_ item: Substring) -> Bool {
        !SecretSearch.findings(in: Array(item.utf8), form: .form).isEmpty
    }

    /// The credential in a path, as the report of an export names it; `nil` where nothing looks like one.
    static func inPath(_ path: some StringProtocol) -> String? {
        SecretSearch.findings(in: Array(path.utf8)).first?.place
    }

    /// What the body of a request to a target holds.
    static func inBody(_ message: Message, target: String, _ body: [UInt8]) -> Content {
        guard !body.isEmpty else { return .nothing }
        let form = SecretScanner.Form(of: message, target: target)
        let searched = try? SearchedBody(of: message, limitBytes: BodyDiff.limitBytes) { offset, limit in
            Array(body.dropFirst(Int(clamping: offset)).prefix(limit))
        }
        guard let searched, searched.content != .coded else { return .unsearched }
        var found = SecretSearch.findings(in: searched.bytes, form: form).first
        // A guess at what the bytes are hides what stands in them.
        for bytes in [searched.packed, searched.wide?.bytes] {
            found = found ?? bytes.flatMap { SecretSearch.findings(in: $0, form: form).first }
        }
        if let found { return .credential(found.place) }
        return searched.content == .text && !searched.isCut ? .nothing : .unsearched
    }
}
