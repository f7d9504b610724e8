package import NIOCore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The user of this machine who holds the client's end of a connection.
package struct ClientUser: Sendable {
    /// The user's number; `nil` where the system does not tell, and for a client on another machine.
    private let number: UInt32?

    /// Finds the user of an accepted connection, which may read files: it is never used on an event loop.
    package init(of connection: any Channel) {
        let pair = SocketPair(client: connection.remoteAddress, listener: connection.localAddress)
        self.init(of: pair, in: ProcessTable())
    }

    /// Finds the user of a connection in a table.
    init(of pair: SocketPair?, in table: ProcessTable) { number = pair.flatMap { table.user(of: $0) } }

    /// Whether it is known to be another than ours and the administrator, who may read all that is ours.
    package var isAnother: Bool { number.map { $0 != geteuid() && $0 != 0 } ?? false }
}
