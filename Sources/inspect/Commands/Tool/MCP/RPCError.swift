import Traffic

/// Why a request has no result.
struct RPCError: Error {
    /// The codes of JSON-RPC 2.0 §5.1, and of the Model Context Protocol's revision 2026-07-28.
    enum Code: Int {
        case parse = -32_700
        case request = -32_600
        case method = -32_601
        case params = -32_602
        case failure = -32_603
        /// Too many calls wait already; the code is of the range that is left to servers.
        case busy = -32_000
        /// The request names a revision of the protocol that this server does not speak.
        case revision = -32_022
    }

    let code: Code
    let message: String
    var data: JSONValue?

    init(_ code: Code, _ message: String, data: JSONValue? = nil) {
        (self.code, self.message, self.data) = (code, message, data)
    }
}
