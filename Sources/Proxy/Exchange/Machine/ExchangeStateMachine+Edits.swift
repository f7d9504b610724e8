import NIOCore

/// How the content of a request is changed that waits for its upstream.
extension ExchangeStateMachine {
    /// Changes each part of the content that waits; parts of which nothing is left are taken out.
    mutating func editWaiting(_ edit: (ByteBuffer) -> ByteBuffer) {
        guard case .waiting(let parts) = request else { return }
        request = .waiting(parts.compactMap { $0.edited(edit) })
    }

    /// Changes the trailer section of a request that waits whole.
    mutating func editWaitingTrailers(_ edit: (ByteBuffer?) -> ByteBuffer?) {
        guard case .waiting(let parts) = request else { return }
        request = .waiting(parts.map { $0.editedTrailers(edit) })
    }

    /// Puts content before everything that waits.
    mutating func putFirst(_ content: ByteBuffer) {
        guard case .waiting(let parts) = request, content.readableBytes > 0 else { return }
        request = .waiting([.requestBody(content)] + parts)
    }

    /// Puts content behind the content that waits, before the end that waits too.
    mutating func putLast(_ content: ByteBuffer) {
        guard case .waiting(var parts) = request, case .requestEnd(let trailers)? = parts.popLast() else { return }
        request = .waiting(parts + [.requestBody(content), .requestEnd(trailers)])
    }
}

extension Fact {
    /// The fact with other content of the request; `nil` where nothing of it is left.
    func edited(_ edit: (ByteBuffer) -> ByteBuffer) -> Fact? {
        guard case .requestBody(let bytes) = self else { return self }
        let edited = edit(bytes)
        return edited.readableBytes > 0 ? .requestBody(edited) : nil
    }

    /// The fact with other trailers of the request.
    func editedTrailers(_ edit: (ByteBuffer?) -> ByteBuffer?) -> Fact {
        guard case .requestEnd(let trailers) = self else { return self }
        return .requestEnd(edit(trailers))
    }
}
