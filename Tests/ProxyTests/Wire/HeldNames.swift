import Dispatch
import NIOCore
import Support

/// Look-ups of names of this machine, which wait until they are let go on.
struct HeldNames {
    /// How many have begun.
    let askedCount = Watched(0)
    private let semaphore = DispatchSemaphore(value: 0)

    /// Waits; then every name is of 127.0.0.1.
    func addresses() throws -> [SocketAddress] {
        askedCount.update { $0 += 1 }
        semaphore.wait()
        semaphore.signal()
        return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
    }

    /// Lets those go on that wait, and all that come.
    func letGo() { semaphore.signal() }
}
