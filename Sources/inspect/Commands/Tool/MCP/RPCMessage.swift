import Traffic

/// A message of JSON-RPC 2.0 as a server reads it, one JSON text.
enum RPCMessage {
    /// A request, which gets an answer.
    case request(id: JSONValue, method: String, params: JSONValue)
    /// The client no longer wants the answer to the request of this id.
    case cancelled(JSONValue)
    /// A message that gets no answer: another notification, or an answer to a question that was never asked.
    case unanswered
    /// What is no message; the id is that of the answer, null where none could be read.
    case bad(id: JSONValue, RPCError)

    /// Reads a message.
    init(_ bytes: [UInt8]) {
        let value: JSONValue
        do {
            value = try JSONReader.value(bytes)
        } catch {
            self = .bad(id: .null, RPCError(.parse, "this line \(error); send one JSON-RPC message a line"))
            return
        }
        self.init(value)
    }

    private init(_ value: JSONValue) {
        guard value.isObject else {
            let message = "expected one JSON-RPC object a line, not \(value.kind); batches are not taken"
            self = .bad(id: .null, RPCError(.request, message))
            return
        }
        let given = value["id"]
        let isKey = given.map(RPCMessage.isKey) ?? false
        let id = isKey ? given ?? .null : .null
        guard value["jsonrpc"]?.string == "2.0" else {
            self = .bad(id: id, RPCError(.request, "\"jsonrpc\" has to be \"2.0\""))
            return
        }
        guard let method = value["method"]?.string else {
            let isAnswer = value["method"] == nil && (value["result"] != nil || value["error"] != nil)
            self = isAnswer ? .unanswered : .bad(id: id, RPCError(.request, "\"method\" has to be a string"))
            return
        }
        guard given != nil else {
            self = RPCMessage.notification(method, value["params"])
            return
        }
        guard isKey else {
            self = .bad(id: .null, RPCError(.request, "\"id\" has to be a string or a whole number"))
            return
        }
        let params = value["params"] ?? .object([])
        guard params.isObject else {
            self = .bad(id: id, RPCError(.params, "\"params\" has to be an object, not \(params.kind)"))
            return
        }
        self = .request(id: id, method: method, params: params)
    }

    /// What a notification means here; an unknown notification means nothing.
    private static func notification(_ method: String, _ params: JSONValue?) -> RPCMessage {
        guard method == "notifications/cancelled", let id = params?["requestId"], isKey(id) else { return .unanswered }
        return .cancelled(id)
    }

    /// Whether a value can be the id of a request.
    private static func isKey(_ value: JSONValue) -> Bool { value.string != nil || value.integer != nil }
}
