import Foundation
import Testing
import Traffic
import Trust

@Suite("What a certificate says", .timeLimit(.minutes(15)))
struct CertificateFactsTests {
    /// The DER of one of the checkout's public test certificates.
    private static func der(_ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../certs").standardized
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        let base64 = text.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return Array(try #require(Data(base64Encoded: base64)))
    }

    @Test(
        "OpenSSL reads the same fingerprint, serial number and dates from it",
        arguments: ["good.pem", "expired.pem", "self-signed.pem", "root.pem", "wrong-host.pem"]
    )
    func agrees(_ name: String) async throws {
        let facts = try #require(CertificateFacts(der: Self.der(name)))
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../certs/\(name)")
            .standardized.path
        let said = try await OpenSSL.run([
            "x509", "-in", file, "-noout", "-fingerprint", "-sha256", "-serial", "-startdate", "-enddate", "-dateopt",
            "iso_8601", "-text",
        ]).text
        #expect(said.contains("=\(facts.sha256)"))
        #expect(said.contains("serial=\(facts.serial.filter { $0 != ":" })"))
        for microseconds in [facts.notBefore, facts.notAfter] {
            let text = Timestamp.text(microseconds: microseconds).prefix(19).replacing("T", with: " ")
            #expect(said.contains("=\(text)Z"), "\(text)")
        }
        let bits = said.firstMatch(of: /Public-Key: \((\d+) bit\)/).map { String($0.output.1) } ?? ""
        #expect(facts.key == "RSA, \(bits) bits" || facts.key == "P-\(bits)", "\(facts.key), \(bits)")
        for name in facts.names where !name.hasPrefix("IP ") { #expect(said.contains("DNS:\(name)")) }
        for name in facts.names where name.hasPrefix("IP ") && name.contains(".") {
            #expect(said.contains("IP Address:\(name.dropFirst(3))"))
        }
        #expect(!facts.subject.isEmpty && !facts.issuer.isEmpty && !facts.signature.isEmpty)
    }

    @Test("Bytes that are no certificate, every beginning of one, and a key too weak to be read give nothing")
    func refuses() throws {
        #expect(CertificateFacts(der: try Self.der("weak-rsa-1024.pem")) == nil)
        let whole = try Self.der("good.pem")
        for length in stride(from: 0, to: whole.count, by: 7) {
            #expect(CertificateFacts(der: Array(whole.prefix(length))) == nil)
        }
        for seed in 0..<200 {
            var damaged = whole
            damaged[(seed * 31) % damaged.count] ^= UInt8(truncatingIfNeeded: seed + 1)
            _ = CertificateFacts(der: damaged)
        }
    }
}
