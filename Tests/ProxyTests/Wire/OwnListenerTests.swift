import Foundation
import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

/// The proxy never connects to itself, whatever it is called.
struct OwnListenerTests {
    /// Every name and address of this machine that comes to mind.
    private static func aliases() throws -> [String] {
        var names = [
            "localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "[::1]", "0.0.0.0", "[::ffff:127.0.0.1]", "[::]",
            "[0:0:0:0:0:0:0:1]", "127.1",
            "2130706433", "0x7f.1", "0177.0.0.1", "[::FFFF:7f00:1]",
        ]
        for device in try System.enumerateDevices() {
            if case .v4? = device.address, let address = device.address?.ipAddress { names.append(address) }
        }
        names.append(ProcessInfo.processInfo.hostName)
        return names
    }

    @Test("A request to any alias of our own listener is refused with 508 and recorded, by each way in")
    func aliases() async throws {
        try await RunningProxy.run(configure: { $0.host = "0.0.0.0" }) { proxy in
            var count = 0
            for alias in try Self.aliases() {
                let client = try await proxy.connect()
                try await client.send(
                    "GET http://\(alias):\(proxy.port)/ HTTP/1.1\r\nHost: \(alias):\(proxy.port)\r\n\r\n"
                )
                let plain = try await client.response()
                #expect(plain.code == 508 && plain.head.contains("error=proxy_loop_detected"), "\(alias)")
                try await client.send("CONNECT \(alias):\(proxy.port) HTTP/1.1\r\nHost: \(alias):\(proxy.port)\r\n\r\n")
                #expect(try await client.response().code == 508, "\(alias)")
                try await client.send(
                    "GET https://\(alias):\(proxy.port)/ HTTP/1.1\r\nHost: \(alias):\(proxy.port)\r\n\r\n"
                )
                #expect(try await client.response().code == 508, "\(alias)")
                count += 3
                let records = try await proxy.sink.ended(count)
                #expect(
                    records.suffix(3).map(\.failure) == Array(repeating: "proxy connect loop", count: 3),
                    "\(alias)"
                )
            }
            let addresses = Set(proxy.sink.soFar.ended.map(\.exchange.client.token))
            #expect(addresses.count == count / 3, "nobody but our clients came in")
        }
    }

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
    }
}
