import Traffic

/// A server of the Model Context Protocol: it answers each method, in the revisions with a handshake and in 2026-07-28, where each request names its
/// revision.
///
/// It keeps nothing between requests but the placeholders of secrets, so a client may use either way at any time, and have several requests open.
struct MCPServer: Sendable {
    /// Revisions without a handshake, newest first.
    static let revisions = ["2026-07-28"]
    /// Revisions that begin with `initialize`, newest first.
    static let handshakes = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]
    /// The method whose answer takes time: it calls a tool.
    static let call = "tools/call"

    private static let revisionKey = "io.modelcontextprotocol/protocolVersion"
    private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
    private static let serverKey = "io.modelcontextprotocol/serverInfo"
    /// How long a client may keep the list of tools, in milliseconds; the list changes with the program only.
    private static let cacheMilliseconds = 3_600_000.0

    let context: MCPContext
    let tools: [any MCPTool]

    /// The answer to a message; `nil` where there is none.
    func answer(_ message: RPCMessage) async -> JSONValue? {
        switch message {
        case .cancelled, .unanswered: return nil
        case .bad(let id, let error): return Self.failure(id, error)
        case .request(let id, let method, let params):
            do {
                let result = try await result(method, params)
                return .object([("jsonrpc", .string("2.0")), ("id", id), ("result", result)])
            } catch let error as RPCError {
                return Self.failure(id, error)
            } catch {
                return Self.failure(id, RPCError(.failure, error.told))
            }
        }
    }

    private static func failure(_ id: JSONValue, _ error: RPCError) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("code", .number(Double(error.code.rawValue))), ("message", .string(error.message)),
        ]
        if let data = error.data { members.append(("data", data)) }
        return .object([("jsonrpc", .string("2.0")), ("id", id), ("error", .object(members))])
    }

    private func result(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let isStateless = try Self.isStateless(method, params)
        var result: JSONValue
        switch method {
        case "initialize": return try initialized(params)
        case "ping" where !isStateless: return .object([])
        case "server/discover":
            result = described(isStateless: true)
            result.set("supportedVersions", .array(Self.revisions.map { .string($0) }))
        case "tools/list":
            result = .object([("tools", .array(tools.map { $0.declaration }))])
        case Self.call: result = try await called(params)
        default: throw RPCError(.method, "there is no method \(method); the tools are listed by tools/list")
        }
        guard isStateless || method == "server/discover" else { return result }
        result.set("resultType", .string("complete"))
        if method != Self.call {
            result.set("ttlMs", .number(Self.cacheMilliseconds))
            result.set("cacheScope", .string("private"))
        }
        result.set("_meta", .object([(Self.serverKey, Self.information)]))
        return result
    }

    /// Whether a request says which revision it speaks, so that there was no handshake.
    private static func isStateless(_ method: String, _ params: JSONValue) throws -> Bool {
        guard method != "initialize", let meta = params["_meta"], let revision = meta[revisionKey] else { return false }
        guard let revision = revision.string else {
            throw RPCError(.params, "\(revisionKey) in _meta has to be a string")
        }
        guard revisions.contains(revision) else {
            let data = JSONValue.object([
                ("supported", .array(revisions.map { .string($0) })), ("requested", .string(revision)),
            ])
            throw RPCError(.revision, "revision \(revision) of the protocol is not spoken here", data: data)
        }
        guard meta[capabilitiesKey]?.isObject == true else {
            throw RPCError(.params, "_meta has to hold \(capabilitiesKey), an object")
        }
        return true
    }

    private func initialized(_ params: JSONValue) throws -> JSONValue {
        guard let wanted = params["protocolVersion"]?.string else {
            throw RPCError(.params, "initialize has to name a protocolVersion, such as \(Self.handshakes[0])")
        }
        var result = described(isStateless: false)
        // One that is not spoken here is answered with the newest that is, which the client may refuse.
        result.set("protocolVersion", .string(Self.handshakes.contains(wanted) ? wanted : Self.handshakes[0]))
        return result
    }

    private static var information: JSONValue {
        .object([("name", .string("inspect")), ("version", .string(BuildVersion.text))])
    }

    private func described(isStateless: Bool) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("capabilities", .object([("tools", .object([]))])), ("instructions", .string(context.instructions)),
        ]
        if !isStateless { members.append(("serverInfo", Self.information)) }
        return .object(members)
    }

    private func called(_ params: JSONValue) async throws -> JSONValue {
        guard let name = params["name"]?.string else { throw RPCError(.params, "tools/call has to name a tool") }
        guard let tool = tools.first(where: { $0.name == name }) else {
            let names = tools.map(\.name).joined(separator: ", ")
            let why =
                name == ReplayTool.word ? "; requests are sent only where inspect mcp was given --allow-replay" : ""
            throw RPCError(.params, "there is no tool \(name); there are \(names)\(why)")
        }
        var isError = false
        let text: String
        do {
            let arguments = try MCPArguments(params["arguments"] ?? .object([]), of: tool.parameters)
            text = context.text(try await tool.call(arguments, context))
        } catch {
            // What the agent can mend itself is no fault of the protocol: it is told what to do instead.
            isError = true
            text = context.complaint(error)
        }
        let content = JSONValue.object([("type", .string("text")), ("text", .string(text))])
        return .object([("content", .array([content])), ("isError", .boolean(isError))])
    }
}
