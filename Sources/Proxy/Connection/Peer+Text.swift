import NIOCore
import NIOSSL
import Traffic

extension Peer {
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
