import HTTPTypes
import Hummingbird
import Traffic

/// Our root certificate as a file, for a client that shall trust it; never the key.
struct CertificateRoutes {
    private static let none = WebFailure(.notFound, "No proxy runs here, so there is no root certificate.")

    let information: CurrentInformation

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/ca.pem") { _, _ in
            file(Array(PEM.text(try certificate()).utf8), "application/x-pem-file", name: "inspect-root.pem")
        }
        router.get("/api/v1/ca.der") { _, _ in
            file(try certificate(), "application/x-x509-ca-cert", name: "inspect-root.der")
        }
    }

    /// The bytes of the file's first certificate; nothing else of the file is sent.
    ///
    /// - Throws: `WebFailure` where the file holds no certificate.
    private func certificate() throws -> [UInt8] {
        guard let der = PEM.certificates(information.now.caPEM).first, !der.isEmpty else {
            throw CertificateRoutes.none
        }
        return der
    }

    private func file(_ bytes: [UInt8], _ contentType: String, name: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: contentType, .contentDisposition: "attachment; filename=\"\(name)\""],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
