import Traffic

/// A refusal of a call by the portal, from the answer's `error`.
struct CKANRefusal: Sendable, Equatable {
    /// The type: `Validation Error`, `Not Found Error` …; `nil` where the error has none.
    let type: String?
    let message: String?
    /// The parameters that the error names, each with its sentences.
    let parameters: [Parameter]

    /// A parameter that was not accepted.
    struct Parameter: Sendable, Equatable {
        let name: String
        let complaints: [String]
    }

    init(_ error: JSONValue) {
        type = error["__type"]?.string
        message = error["message"]?.string ?? error.string
        guard case .object(let members) = error else {
            parameters = []
            return
        }
        parameters = members.compactMap { member in
            guard !["__type", "message"].contains(member.name) else { return nil }
            let complaints = member.value.elements?.compactMap(\.string) ?? [member.value.string].compactMap { $0 }
            return Parameter(name: member.name, complaints: complaints)
        }
    }

    /// The status that goes with the type; `nil` for an unknown type.
    var status: Int? {
        switch type {
        case "Validation Error", "Search Error": 409
        case "Not Found Error": 404
        case "Authorization Error": 403
        case "Search Query Error", "Integrity Error": 400
        default: nil
        }
    }

    var sentence: String {
        var parts = [type ?? "an error without a type"]
        if let message { parts.append(message) }
        parts += parameters.map { "\($0.name): \($0.complaints.joined(separator: "; "))" }
        return parts.joined(separator: ": ")
    }
}
