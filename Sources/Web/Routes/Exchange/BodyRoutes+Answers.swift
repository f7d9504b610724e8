import Hummingbird
import Traffic

extension BodyRoutes {
    /// Decoded bytes that are held at most while the answer waits for its first line.
    private static let heldBytes = 1 << 20
    /// Coded bytes given to the decoder at a time.
    private static let stepBytes = 16 << 10

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

    /// The bytes with the content codings undone, up to a limit, with a sentence about what is wrong with them.
    ///
    /// A body of more than `heldBytes` is decoded twice, once to see what is wrong with it and once for the answer, so that it is never held.
    ///
    /// - Throws: `StoreError` when the store cannot be read.
    func decoded(_ id: ExchangeID, _ side: MessageSide, _ message: Message, limitBytes: Int) async throws -> Response {
        var held = ByteBuffer()
        var isHeld = true
        let problem = try await decode(id, side, message, limitBytes: limitBytes) { piece in
            isHeld = isHeld && held.readableBytes + piece.readableBytes <= BodyRoutes.heldBytes
            if isHeld { held.writeImmutableBuffer(piece) } else { held.clear() }
        }
        let body =
            isHeld
            ? ResponseBody(byteBuffer: held)
            : ResponseBody { writer in
                _ = try await decode(id, side, message, limitBytes: limitBytes) { try await writer.write($0) }
                try await writer.finish(nil)
            }
        return attachment(id, side, message, body: body, problem: problem)
            .tagged(message.body, as: "decoded-\(limitBytes)-\(message.codings.joined(separator: "-"))")
    }

    /// Undoes the codings piece by piece, holding what one step makes, and returns what was wrong.
    private func decode(
        _ id: ExchangeID,
        _ side: MessageSide,
        _ message: Message,
        limitBytes: Int,
        give: (ByteBuffer) async throws -> Void
    ) async throws -> String? {
        let decoder = ContentDecoder(names: message.codings, limitBytes: limitBytes)
        var offset: Int64 = 0
        while offset < message.body.kept, !decoder.isStopped {
            var coded = try await piece(id, side, offset: offset)[...]
            offset += Int64(coded.count)
            while !coded.isEmpty {
                var decoded = ByteBuffer()
                decoder.write(Array(coded.prefix(BodyRoutes.stepBytes))) { decoded.writeBytes($0) }
                coded = coded.dropFirst(BodyRoutes.stepBytes)
                if decoded.readableBytes > 0 { try await give(decoded) }
            }
        }
        var last = ByteBuffer()
        decoder.finish(isWhole: !message.body.isTruncated) { last.writeBytes($0) }
        if last.readableBytes > 0 { try await give(last) }
        return message.body.problem(decoding: decoder.problem)
    }

    /// The next bytes of a body that its measure promises; without them, breaking the answer off is the only honest end.
    private func piece(_ id: ExchangeID, _ side: MessageSide, offset: Int64) async throws -> [UInt8] {
        let piece = try await store.piece(id, side, offset: offset)
        guard !piece.isEmpty else { throw WebFailure(.internalServerError, "The body is no longer in the store.") }
        return piece
    }

    /// An answer that a browser saves and never draws.
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

    /// The ending of a saved file: of a few types that no program runs, else none in particular.
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
    /// The answer with the tag of a body that has ended: its digest, how much of it is kept, and as what it is sent.
    fileprivate func tagged(_ body: Body, as form: String) -> Response {
        let isPlain = form.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x2C }
        guard !body.sha256.isEmpty, isPlain else { return self }
        let digest = body.sha256.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return tagged(EntityTag(name: "\(digest)-\(body.kept)-\(form)"))
    }
}
