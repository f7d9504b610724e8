import Hummingbird
import Store
import Traffic

extension BodyRoutes {
    /// Decoded bytes that are held while the answer waits for its first line, at most.
    private static let heldBytes = 1 << 20

    /// The kept bytes as they passed, content coding and all.
    func stored(_ id: ExchangeID, _ side: MessageSide, _ message: Message) -> Response {
        let kept = message.body.kept
        let body = ResponseBody(contentLength: Int(kept)) { writer in
            var offset: Int64 = 0
            while offset < kept {
                let piece = try await piece(id, side, offset: offset)
                try await writer.write(ByteBuffer(bytes: piece.prefix(Int(kept - offset))))
                offset += Int64(piece.count)
            }
            try await writer.finish(nil)
        }
        return attachment(id, side, message, body: body, problem: message.body.problem(decoding: nil))
            .tagged(message.body, as: "sent")
    }

    /// The bytes with the content codings undone, up to a limit, with a sentence where they are not the whole body.
    ///
    /// A body of more than `heldBytes` is decoded twice, once to find what is wrong and once for the answer, so that it is never held.
    ///
    /// - Throws: `StoreError` when the store cannot be read.
    func decoded(
        _ id: ExchangeID,
        _ side: MessageSide,
        _ message: Message,
        limitBytes: Int,
        for asker: Asker
    ) async throws -> Response {
        let (held, problem) = try await store.read { store in
            var held: [UInt8]? = []
            let problem = try BodyRoutes.decode(id, side, message, limitBytes: limitBytes, in: store) { piece in
                let isRoomy = (held?.count ?? 0) + piece.count <= BodyRoutes.heldBytes
                if isRoomy { held?.append(contentsOf: piece) } else { held = nil }
            }
            return (held, problem)
        }
        let stream = StoreStream(store) { store, write in
            _ = try BodyRoutes.decode(id, side, message, limitBytes: limitBytes, in: store) { try write(Array($0)) }
        }
        let body = held.map { ResponseBody(byteBuffer: ByteBuffer(bytes: $0)) } ?? stream.body(for: asker)
        var response = attachment(id, side, message, body: body, problem: problem)
            .tagged(message.body, as: "decoded-\(limitBytes)-\(message.codings.joined(separator: "-"))")
        if held == nil { response.headers[.connection] = "close" }
        return response
    }

    /// Undoes the codings, passes the decoded bytes on as they come, and returns what was wrong.
    private static func decode(
        _ id: ExchangeID,
        _ side: MessageSide,
        _ message: Message,
        limitBytes: Int,
        in store: TrafficStore,
        give: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> String? {
        let decoder = ContentDecoder(names: message.codings, limitBytes: limitBytes)
        var failure: (any Error)?
        func take(_ piece: UnsafeRawBufferPointer) {
            guard failure == nil else { return }
            do { try give(piece) } catch {
                failure = error
                decoder.stop("Nobody takes the rest.")
            }
        }
        var offset: Int64 = 0
        while offset < message.body.kept, !decoder.isStopped {
            try Task.checkCancellation()
            let coded = try store.body(id, side, offset: offset, limitBytes: StoreDoor.chunkBytes)
            guard !coded.isEmpty else { throw BodyRoutes.gone }
            offset += Int64(coded.count)
            decoder.write(coded, take)
        }
        if failure == nil { decoder.finish(isWhole: !message.body.isTruncated, take) }
        if let failure { throw failure }
        return message.body.problem(decoding: decoder.problem)
    }

    private static let gone = WebFailure(.internalServerError, "The body is no longer in the store.")

    /// The next bytes of a body that its recorded length promises; without them, breaking the answer off is the only honest end.
    private func piece(_ id: ExchangeID, _ side: MessageSide, offset: Int64) async throws -> [UInt8] {
        let piece = try await store.piece(id, side, offset: offset)
        guard !piece.isEmpty else { throw BodyRoutes.gone }
        return piece
    }

    /// An answer that a browser saves and never shows.
    private func attachment(
        _ id: ExchangeID,
        _ side: MessageSide,
        _ message: Message,
        body: ResponseBody,
        problem: String?
    ) -> Response {
        let name = "exchange-\(id)-\(side.rawValue).\(BodyRoutes.fileExtension(message))"
        var response = Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream",
                .contentDisposition: "attachment; filename=\"\(name)\"",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
            ],
            body: body
        )
        if let sentence = problem {
            // The sentence may name what a peer sent; a field takes plain characters only.
            let isPlain = sentence.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            response.headers[.inspectProblem] = isPlain ? sentence : "The body could not be decoded whole."
        }
        return response
    }

    /// The extension of a saved file: that of a few types that no program runs, else `bin`.
    private static func fileExtension(_ message: Message) -> String {
        switch MediaType(message.fields.first("Content-Type"))?.essence {
        case "application/json": "json"
        case "text/plain": "txt"
        case "image/png": "png"
        case "image/jpeg": "jpg"
        case "image/gif": "gif"
        case "image/webp": "webp"
        default: "bin"
        }
    }
}

extension Response {
    /// The answer with the tag of a body that has ended: the digest, how much is kept, and the form in which it is sent.
    fileprivate func tagged(_ body: Body, as form: String) -> Response {
        let isPlain = form.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x2C }
        guard !body.sha256.isEmpty, isPlain else { return self }
        let digest = body.sha256.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return tagged(EntityTag(name: "\(digest)-\(body.kept)-\(form)"))
    }
}
