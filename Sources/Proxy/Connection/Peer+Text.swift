import NIOCore
import NIOSSL
import Traffic

extension Peer {
    /// The bytes of its address; of an IPv6 one the 64 bits that a network has, since a machine takes as many addresses there as it likes.
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

    /// A version as OpenSSL's tools name it.
    static func text(_ version: TLSVersion) -> String {
        switch version {
        case .tlsv1: "TLSv1"
        case .tlsv11: "TLSv1.1"
        case .tlsv12: "TLSv1.2"
        case .tlsv13: "TLSv1.3"
        }
    }
}
