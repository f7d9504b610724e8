import Foundation
import HTTPTypes
import Hummingbird
import Traffic

/// Our root certificate as a file, for a client that is to trust it; never its key.
struct CertificateRoutes {
    private static let none = WebFailure(.notFound, "No proxy runs here whose certificate this could be.")

    let information: CurrentInformation

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/ca.pem") { _, _ in
            try file(Array(try certificate().utf8), "application/x-pem-file", name: "inspect-root.pem")
        }
        router.get("/api/v1/ca.der") { _, _ in
            let lines = try certificate().split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
            let bytes = Data(base64Encoded: lines.joined()) ?? Data()
            return try file(Array(bytes), "application/x-x509-ca-cert", name: "inspect-root.der")
        }
    }

    /// The text of one certificate block; anything else that a file may hold stays where it is.
    ///
    /// - Throws: `WebFailure` where there is none.
    private func certificate() throws -> String {
        let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")
        let text = information.now.caPEM
        guard let start = text.firstRange(of: begin)?.lowerBound,
            let stop = text[start...].firstRange(of: end)?.upperBound
        else { throw CertificateRoutes.none }
        return text[start..<stop] + "\n"
    }

    private func file(_ bytes: [UInt8], _ contentType: String, name: String) throws -> Response {
        guard !bytes.isEmpty else { throw CertificateRoutes.none }
        return Response(
            status: .ok,
            headers: [.contentType: contentType, .contentDisposition: "attachment; filename=\"\(name)\""],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
