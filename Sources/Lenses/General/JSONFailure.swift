import Traffic

/// A finder of failures that JSON bodies tell of, whatever their status says.
enum JSONFailure {
    /// What failed by the body of an answer whose status says success; `nil` where the body tells of no failure.
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

    /// Whether an object has no members but those of an envelope such as JSend's; the status of a job or an order is its own, not the answer's.
    private static func isEnvelope(_ value: JSONValue) -> Bool {
        guard case .object(let members) = value else { return false }
        return members.allSatisfy {
            ["status", "message", "code", "data", "reason", "detail", "msg"].contains($0.name)
        }
    }

    /// The errors that a member called `errors` tells of: the elements of a list, or an object that is not empty.
    static func errors(_ member: JSONValue?) -> [JSONValue] {
        switch member {
        case .array(let errors)?: errors
        case .object(let members)?: members.isEmpty ? [] : [.object(members)]
        default: []
        }
    }

    /// The message of an error, one line.
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

    /// Whether a member called `error` tells of an error: `null`, `false`, `0`, "" and empty lists and objects do not.
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
    /// The text; `nil` where it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
