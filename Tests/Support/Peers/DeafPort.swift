import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A port of 127.0.0.1 whose queue is full, so that who connects hears nothing: neither an answer nor a refusal.
package final class DeafPort: Sendable {
    package let port: Int
    private let sockets: [Int32]

    /// Listens and fills the queue.
    ///
    /// - Throws: `NoPort` when the system gives no socket.
    package init() throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let listener = socket(AF_INET, kind, 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 0) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isListening else { throw NoPort() }
        var sockets = [listener]
        func connectOne(waits: Bool) {
            let filler = socket(AF_INET, kind, 0)
            if !waits { _ = fcntl(filler, F_SETFL, O_NONBLOCK) }
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, size) }
            }
            sockets.append(filler)
        }
        // The queue is full with one, once that has come to it: a connection that is on its way might be counted for a dial.
        connectOne(waits: true)
        var state = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
        while poll(&state, 1, -1) < 0, errno == EINTR {}
        #if canImport(Darwin)
        // There it holds some more.
        for _ in 0..<7 { connectOne(waits: false) }
        #endif
        self.sockets = sockets
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    /// The system gave no socket to listen on.
    struct NoPort: Error {}
}
