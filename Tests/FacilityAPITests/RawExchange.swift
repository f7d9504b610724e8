import Foundation

/// One connection for one request written by hand, its answer read until the server closes or a deadline passes.
struct RawExchange: Sendable {
    /// How long one read may take.
    static let readSeconds = 10

    let port: Int

    /// What came back, split after the head.
    struct Reply: Sendable {
        let head: String
        let body: String
    }

    private struct Failure: Error {
        let step: String
    }

    /// Sends bytes and reads all there is, on a thread of its own: a blocked dispatch queue would starve the server's tasks.
    func send(_ request: String) async throws -> Reply {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try exchange(Array(request.utf8)) })
            }
        }
    }

    private func exchange(_ request: [UInt8]) throws -> Reply {
        #if canImport(Darwin)
        let stream = SOCK_STREAM
        #else
        let stream = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw Failure(step: "socket") }
        defer { close(descriptor) }
        var deadline = timeval(tv_sec: Self.readSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &deadline, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(step: "connect") }
        guard write(descriptor, request, request.count) == request.count else { throw Failure(step: "write") }
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EAGAIN { throw Failure(step: "the server neither answered nor closed") }
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        let text = String(decoding: received, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return Reply(head: text, body: "") }
        return Reply(head: String(text[..<end.upperBound]), body: String(text[end.upperBound...]))
    }
}
