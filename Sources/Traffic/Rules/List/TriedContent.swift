package import NIOCore

/// What a dry run knows of an answer whose content lies elsewhere: in a file, in a directory, in a recorded exchange.
package enum TriedContent: Sendable {
    /// A response as the client would get it.
    package struct Response: Sendable {
        package let head: ByteBuffer
        package let code: Int
        /// Bytes of the body.
        package let length: Int64
        private let read: @Sendable (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8]

        /// - Parameters:
        ///   - head: as an HTTP/1.1 server would send it.
        ///   - code: its status.
        ///   - length: bytes of the body.
        ///   - read: reads bytes of the body at an offset, at most so many.
        package init(
            head: ByteBuffer,
            code: Int,
            length: Int64,
            read: @escaping @Sendable (_ offset: Int64, _ limitBytes: Int) throws -> [UInt8]
        ) {
            (self.head, self.code, self.length, self.read) = (head, code, length, read)
        }

        /// Reads bytes of the body.
        ///
        /// - Returns: at most `limitBytes`, fewer only at the end.
        /// - Throws: what keeps from reading.
        package func body(offset: Int64, limitBytes: Int) throws -> [UInt8] {
            guard offset < length else { return [] }
            return try read(offset, Int(min(Int64(limitBytes), length - offset)))
        }
    }

    case response(Response)
    /// There is no such file, and the rule sends such requests to the upstream.
    case upstream
    /// The answer could not be given.
    case fault(RuleFault)
    /// Nobody looked, with the reason.
    case unknown(String)
}
