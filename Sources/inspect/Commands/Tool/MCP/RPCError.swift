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
        /// Of those that are left to servers: too much is being done already.
        case busy = -32_000
        /// A revision of the protocol that is not spoken here.
        case revision = -32_022
    }

    let code: Code
    let message: String
    var data: JSONValue?

    init(_ code: Code, _ message: String, data: JSONValue? = nil) {
        (self.code, self.message, self.data) = (code, message, data)
    }
}
