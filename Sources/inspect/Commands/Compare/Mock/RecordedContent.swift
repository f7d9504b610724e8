import NIOCore
import Store
import Traffic

/// A recorded response as a client gets it again: whole, a range of it, without its coding, or that the client has it already.
struct RecordedContent {
    /// What keeps a client from it, one sentence.
    struct Refusal: Error {
        let sentence: String
    }

    /// Decoded bytes of a body that a client gets undone because it does not accept the recorded coding.
    private static let decodedLimitBytes = 64 << 20

    let store: TrafficStore
    let exchange: Exchange
    /// The response, which has come whole; its head may have been edited.
    let response: Message
    /// Its status.
    let code: Int
    /// Names of the fields that a rule put into its head, in lower case: a 304 has them too.
    var givenFields: Set<String> = []

    /// What a request gets of it.
    ///
    /// - Throws: `Refusal` where the client takes no such coding and it cannot be undone, `StoreError`.
    func answer(to request: ContentRequest) throws -> GivenAnswer {
        if code == 200, ["GET", "HEAD"].contains(request.method), request.hasCurrent(response.fields) {
            return GivenAnswer(head: RecordedHead.notModified(response, keeping: givenFields), code: 304, content: nil)
        }
        // A HEAD's own recording has no content, and says how long it would be.
        guard code != 204, code != 304, exchange.method != "HEAD" else {
            return GivenAnswer(head: RecordedHead.again(response, code: code, length: nil), code: code, content: nil)
        }
        // Who was recorded to ask for a range and got all of it asked a server that knows no ranges.
        let isWhole = code != 200 || exchange.request.fields.contains("range")
        let range = isWhole ? nil : request.range(of: response.fields)
        let codings = ContentCoding.names(of: response.fields).map { $0.lowercased() }.filter { $0 != "identity" }
        let wasSaid = exchange.request.fields.contains("accept-encoding")
        // An archive holds content with its codings undone.
        let isArchived = response.body.archived != nil
        guard !isArchived, !codings.allSatisfy({ request.accepts($0, wasSaid: wasSaid) }) else {
            return given(range, of: response.body.kept, to: request, isDecoded: isArchived) { [store, exchange] in
                try store.body(exchange.id, .response, offset: $0, limitBytes: $1)
            }
        }
        let decoded = try CapturedBody(of: response, limitBytes: Self.decodedLimitBytes) { offset, limit in
            try store.body(exchange.id, .response, offset: offset, limitBytes: limit)
        }
        if let problem = decoded.problem {
            throw Refusal(
                sentence: "The client takes no \(codings.joined(separator: ", ")), and it cannot be undone. \(problem)"
            )
        }
        let bytes = decoded.bytes
        return given(range, of: Int64(bytes.count), to: request, isDecoded: true) { offset, limit in
            Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + limit)])
        }
    }

    private func given(
        _ wanted: RequestedRange?,
        of length: Int64,
        to request: ContentRequest,
        isDecoded: Bool,
        _ read: @escaping @Sendable (Int64, Int) throws -> [UInt8]
    ) -> GivenAnswer {
        let part = ContentPart(wanted, of: length, code: code)
        let head = RecordedHead.again(
            response,
            code: part.code,
            length: part.bytes.count,
            isDecoded: isDecoded,
            range: part.range
        )
        let content = request.method == "HEAD" ? nil : PlacedContent(part.bytes, read: read)
        return GivenAnswer(head: head, code: part.code, content: content)
    }
}
