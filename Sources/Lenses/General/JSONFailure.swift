import Traffic

/// Failures that JSON bodies tell of beside, or in spite of, their status.
enum JSONFailure {
    /// What a body of a success says failed; `nil` when it says nothing of the kind.
    static func hidden(in value: JSONValue) -> String? {
        guard case .object = value else { return nil }
        if let error = value["error"], isFailure(error) { return "it has an error: \(message(error))" }
        let errors = errors(value["errors"])
        if let first = errors.first {
            let more = errors.count > 1 ? " and \(errors.count - 1) more" : ""
            return "it has errors: \(message(first))\(more)"
        }
        for name in ["success", "ok"] where value[name]?.boolean == false {
            return "\(name) is false\(reason(value))"
        }
        if isEnvelope(value), let status = value["status"]?.string, ["error", "fail"].contains(status.lowercased()) {
            return "status is \"\(status.lowercased())\"\(reason(value))"
        }
        return nil
    }

    /// Whether an object tells of an answer and of nothing else, as JSend has it: a job or an order has a status of its own.
    private static func isEnvelope(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        return members.allSatisfy {
            ["status", "message", "code", "data", "reason", "detail", "msg"].contains($0.name)
        }
    }

    /// The errors that a member called `errors` tells of: those of a list; an object is one, unless it is empty.
    static func errors(_ member: JSONValue?) -> [JSONValue] {
        switch member {
        case .array(let errors)?: errors
        case .object(let members)?: members.isEmpty ? [] : [.object(members)]
        default: []
        }
    }

    /// What an error says of itself, one line.
    static func message(_ error: JSONValue) -> String {
        if case .object = error {
            let code = error["code"].map { JSONShape.text($0) }
            let text = ["message", "detail", "description", "title", "reason", "type"].lazy.compactMap {
                error[$0]?.string
            }.first
            return [code, text].compactMap { $0 }.joined(separator: " ").nonEmpty ?? JSONShape.words(error)
        }
        return JSONShape.text(error)
    }

    private static func reason(_ value: JSONValue) -> String {
        ["message", "reason", "detail", "msg"].lazy.compactMap { value[$0]?.string }.first.map { ": \($0)" } ?? ""
    }

    /// Whether a member called `error` tells of one: `null`, `false`, `0`, "" and empty ones do not.
    private static func isFailure(_ error: JSONValue) -> Bool {
        switch error {
        case .null: false
        case .boolean(let value): value
        case .number(let number): number != 0
        case .string(let text): !text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        }
    }
}

extension String {
    /// It, where there is something in it.
    var nonEmpty: String? { isEmpty ? nil : self }
}
