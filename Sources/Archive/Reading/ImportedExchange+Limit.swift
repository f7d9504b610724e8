import NIOCore
package import Traffic

extension ImportedExchange {
    /// Cuts bodies that are not those of the wire to what a store keeps of one, between two characters of a text; their record then says so.
    ///
    /// A body of the wire tells by its length alone what was not kept of it.
    ///
    /// - Parameter limitBytes: bytes of a body at most.
    package mutating func limitArchivedBodies(to limitBytes: Int64) {
        ImportedExchange.limit(&exchange.request.body, &requestBody, to: limitBytes)
        guard var response = exchange.response else { return }
        ImportedExchange.limit(&response.body, &responseBody, to: limitBytes)
        exchange.response = response
    }

    private static func limit(_ body: inout Body, _ bytes: inout ByteBuffer, to limitBytes: Int64) {
        guard let archived = body.archived, Int64(bytes.readableBytes) > limitBytes else { return }
        let view = bytes.readableBytesView
        var end = Int(max(0, limitBytes))
        // In UTF-8, every byte of a character but its first begins with the bits 10 (RFC 3629 §3).
        while archived.form == .text, end > 0, view[view.startIndex + end] & 0xC0 == 0x80 { end -= 1 }
        // A copy: what is not kept is held no longer, since what waits to be written is counted by what is kept.
        bytes = ByteBuffer(bytes: view.prefix(end))
        let sentence = "Only the first \(end) bytes of its content were kept."
        body.kept = Int64(end)
        body.archived = ArchivedBody(
            form: archived.form,
            size: Int64(end),
            kept: min(archived.kept, Int64(end), max(0, body.length - 1)),
            problem: archived.problem.map { "\($0) \(sentence)" } ?? sentence
        )
    }
}
