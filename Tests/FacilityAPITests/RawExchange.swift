import Foundation
import Support

/// One connection for one request written by hand, its answer read until the server closes.
struct RawExchange: Sendable {
    let port: Int

    /// What came back, split after the head.
    struct Reply: Sendable {
        let head: String
        let body: String
    }

    /// Sends bytes and reads all there is.
    ///
    /// - Throws: when the server neither answers nor closes in time.
    func send(_ request: String) async throws -> Reply {
        let client = try await RawClient.connect(port: port)
        try await client.send(request)
        let text = String(decoding: try await client.readToEnd(), as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return Reply(head: text, body: "") }
        return Reply(head: String(text[..<end.upperBound]), body: String(text[end.upperBound...]))
    }
}
