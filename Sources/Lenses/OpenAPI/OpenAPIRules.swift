/// The rules that captures break where they differ from an OpenAPI document.
package enum OpenAPIRules {
    static let path = CheckRule(
        "OA-path",
        "the path is one of the document's",
        consequence: "Clients made from the document cannot call it."
    )
    static let method = CheckRule(
        "OA-method",
        "the path has the method",
        consequence: "Clients made from the document cannot call it."
    )
    static let parameter = CheckRule(
        "OA-parameter",
        "parameters are there and as the document says",
        consequence: "A server that keeps to the document refuses the request."
    )
    static let unknown = CheckRule(
        "OA-unknown",
        "query parameters are the document's",
        consequence: "Nobody who reads the document knows that the parameter is sent.",
        severity: .notice
    )
    static let body = CheckRule(
        "OA-body",
        "a body is there where one is needed, and can be read",
        consequence: "The reader cannot decode the message."
    )
    static let mediaType = CheckRule(
        "OA-media-type",
        "the media type is one of the document's",
        consequence: "The reader has no decoder for it."
    )
    static let empty = CheckRule(
        "OA-empty",
        "a body that the document describes is there, and no other",
        consequence: "A client made from the document finds something else than it looks for.",
        severity: .notice
    )
    static let schema = CheckRule(
        "OA-schema",
        "values are as their schema says",
        consequence: "A client made from the document may fail to decode it."
    )
    static let status = CheckRule(
        "OA-status",
        "the status is one of the document's",
        consequence: "A client made from the document does not know what the answer means."
    )
    static let header = CheckRule(
        "OA-header",
        "response fields are there and as the document says",
        consequence: "A client that relies on the field goes without it."
    )

    /// All rules, in the order of a message's parts.
    package static let all = [path, method, parameter, unknown, status, header, mediaType, body, empty, schema]
}
