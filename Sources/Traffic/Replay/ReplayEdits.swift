/// The changes to a recorded request before it is sent again; none by default.
package struct ReplayEdits: Hashable, Sendable {
    /// A field by name and value.
    package struct Field: Hashable, Sendable, Codable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where it goes in place of the recorded origin: `http://127.0.0.1:8081`, with a path that is put before the target's.
    package var to: String?
    package var method: String?
    /// Fields that take the place of those of their names, or are added.
    package var headers: [Field] = []
    /// Names of fields that are left out.
    package var removeHeaders: [String] = []
    /// Query items, `name=value` or a bare name, that take the place of those of their names, or are added.
    package var query: [String] = []
    /// The body in place of the recorded one, as it goes over the wire.
    package var body: [UInt8]?
    /// The whole head in place of the recorded one, lines ending in LF or CRLF.
    package var head: [UInt8]?
    /// Whether the credentials of the capture go to another origin too.
    package var sendCredentials = false

    package init() {}

    package var isEmpty: Bool { self == ReplayEdits() }

    /// What is wrong with the edits, whatever the request; `nil` where nothing is.
    package var problem: ReplayError? {
        do throws(ReplayError) {
            if let to { _ = try ReplayTarget(to) }
            if let method { try ReplayEdits.check(method: method) }
            for name in removeHeaders { try ReplayEdits.check(name: name) }
            for field in headers {
                try ReplayEdits.check(name: field.name)
                guard field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }) else {
                    throw ReplayError("the value of \(field.name) holds a line end or another control character")
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private static func check(method: String) throws(ReplayError) {
        guard !method.isEmpty, method.utf8.allSatisfy(ASCII.isToken), method != "CONNECT" else {
            throw ReplayError("'\(method)' is no method that can be sent")
        }
    }

    private static func check(name: String) throws(ReplayError) {
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else {
            throw ReplayError("'\(name)' is no name of a field")
        }
    }
}

extension ReplayEdits: Codable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case to, method, headers, removeHeaders, query, body, bodyBase64, head, headBase64, sendCredentials
    }

    /// Reads the API's JSON, in which every member may be missing.
    ///
    /// - Throws: `DecodingError`, also for a member of another name: an edit that is passed over would send what nobody meant.
    package init(from decoder: any Decoder) throws {
        try decoder.refuseMembers(but: CodingKeys.allCases.map(\.rawValue))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func bytes(_ text: CodingKeys, _ base64: CodingKeys) throws -> [UInt8]? {
            if let text = try members.decodeIfPresent(String.self, forKey: text) { return Array(text.utf8) }
            guard let coded = try members.decodeIfPresent(String.self, forKey: base64) else { return nil }
            guard let bytes = Base64Decoder.bytes(coded) else {
                throw DecodingError.dataCorruptedError(forKey: base64, in: members, debugDescription: "no base64")
            }
            return bytes
        }
        to = try members.decodeIfPresent(String.self, forKey: .to)
        method = try members.decodeIfPresent(String.self, forKey: .method)
        headers = try members.decodeIfPresent([Field].self, forKey: .headers) ?? []
        removeHeaders = try members.decodeIfPresent([String].self, forKey: .removeHeaders) ?? []
        query = try members.decodeIfPresent([String].self, forKey: .query) ?? []
        body = try bytes(.body, .bodyBase64)
        head = try bytes(.head, .headBase64)
        sendCredentials = try members.decodeIfPresent(Bool.self, forKey: .sendCredentials) ?? false
    }

    /// Writes the members that are set, bodies and heads as base64.
    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(to, forKey: .to)
        try members.encodeIfPresent(method, forKey: .method)
        if !headers.isEmpty { try members.encode(headers, forKey: .headers) }
        if !removeHeaders.isEmpty { try members.encode(removeHeaders, forKey: .removeHeaders) }
        if !query.isEmpty { try members.encode(query, forKey: .query) }
        try members.encodeIfPresent(body.map(Base64Encoder.text), forKey: .bodyBase64)
        try members.encodeIfPresent(head.map(Base64Encoder.text), forKey: .headBase64)
        if sendCredentials { try members.encode(true, forKey: .sendCredentials) }
    }
}
