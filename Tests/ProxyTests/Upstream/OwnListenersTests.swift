import NIOCore
import Testing

@testable import Proxy

@Suite("The addresses of our own listeners", .timeLimit(.minutes(15)))
struct OwnListenersTests {
    @Test("Another listener of the same process is refused too, and other ports of this machine are not")
    func others() {
        let listeners = OwnListeners()
        listeners.add(port: 9091)
        func contains(_ host: String, _ port: Int) -> Bool {
            (try? SocketAddress(ipAddress: host, port: port)).map(listeners.contains) ?? false
        }
        #expect(
            contains("127.0.0.1", 9091) && contains("::1", 9091) && contains("::ffff:127.8.8.8", 9091)
                && contains("0.0.0.0", 9091)
        )
        #expect(!contains("127.0.0.1", 9092) && !contains("192.0.2.77", 9091) && !contains("2001:db8::1", 9091))
        // Addresses that were reserved for IPv4 in IPv6 once lead nowhere.
        #expect(!contains("::127.0.0.1", 9091) && !contains("::7f00:1", 9091))
    }
}
