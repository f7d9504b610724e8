extension FilterSubject {
    /// Bytes that a message's head says its body has; `nil` when the head does not say, and when there is no head.
    ///
    /// A head says the same while its exchange is under way as in the record, so `size` decides the same in both.
    func declaredLength(_ side: MessageSide) throws -> Int64? {
        guard let message = try message(side) else { return nil }
        let summary = summary
        // These responses never have a body, whatever their fields say (RFC 9112 §6.3).
        if side == .response, summary.method == "HEAD" || [204, 304].contains(summary.code ?? 0) { return 0 }
        if message.field("Transfer-Encoding") != nil { return nil }
        if let length = message.field("Content-Length") { return Int64(length).flatMap { $0 >= 0 ? $0 : nil } }
        guard side == .request else { return nil }
        // A request of HTTP/1 without either field has no body; a request of HTTP/2 may have one, depending on its method.
        return summary.version != .http2 || ["GET", "HEAD", "OPTIONS", "TRACE", "DELETE"].contains(summary.method)
            ? 0 : nil
    }
}
