import Support

/// A client's half of SOCKS 5, by hand.
enum SOCKSClient {
    /// Connects through a SOCKS listener without a login; returns the connection and the reply's code.
    static func connect(_ proxyPort: Int, host: String, port: Int) async throws -> (client: RawClient, reply: UInt8) {
        let client = try await RawClient.connect(port: proxyPort)
        try await client.send([5, 1, 0])
        guard try await client.read(count: 2) == [5, 0] else { return (client, 255) }
        let address = bytes(host)
        try await client.send([5, 1, 0] + address + [UInt8(port >> 8), UInt8(port & 0xFF)])
        let reply = try await client.read(count: 10)
        return (client, reply[1])
    }

    /// An address as its type has it: names as names, brackets as IPv6.
    private static func bytes(_ host: String) -> [UInt8] {
        let quads = host.split(separator: ".").compactMap { UInt8($0) }
        if quads.count == 4, quads.map(String.init).joined(separator: ".") == host { return [1] + quads }
        return [3, UInt8(host.utf8.count)] + Array(host.utf8)
    }
}
