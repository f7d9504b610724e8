import NIOCore
import NIOSSL
import Traffic

extension Peer {
    /// The bytes of the address; of an IPv6 address the first 64 bits, since a machine can take any number of addresses in its network.
    var network: [UInt8]? {
        let host = Endpoint(authority: address, defaultPort: 0)?.host
        let bytes = host.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }?.plainBytes
        return bytes.map { $0.count == 4 ? $0 : Array($0.prefix(8)) }
    }

    /// An address as the record shows it: `192.0.2.1:443`, `[2001:db8::1]:443`.
    static func text(_ address: SocketAddress) -> String {
        guard let host = address.ipAddress, let port = address.port else { return address.pathname ?? "" }
        return "\(Endpoint.bracketed(host)):\(port)"
    }

    /// The name of a TLS version, as OpenSSL's tools print it.
    static func text(_ version: TLSVersion) -> String {
        switch version {
        case .tlsv1: "TLSv1"
        case .tlsv11: "TLSv1.1"
        case .tlsv12: "TLSv1.2"
        case .tlsv13: "TLSv1.3"
        }
    }
}
