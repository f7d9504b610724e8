import Crypto
package import Foundation
import SwiftASN1

/// Certificates to trust in the file format that every JDK reads: JKS, version 2.
///
/// All numbers are big-endian: magic `FEEDFEED`, version, count; for each certificate the tag 2, an alias, a time in milliseconds, `X.509` and the
/// certificate's bytes; at the end the SHA-1 of the password, a fixed phrase and all that precedes. It keeps no secret: the password is the one
/// that everyone uses, and the digest only tells a broken file.
package enum JavaTrustStore {
    /// What a JDK is told to open it with.
    package static let password = "changeit"

    /// The file's bytes.
    ///
    /// - Parameters:
    ///   - certificates: DER; bytes that are no certificate are left out, since a JDK would refuse the whole file for them.
    ///   - now: when the file says that they were added.
    /// - Returns: the whole file.
    package static func bytes(certificates: [[UInt8]], now: Date) -> [UInt8] {
        let certificates = certificates.filter { (try? DER.parse($0)) != nil }
        var file: [UInt8] = []
        append(0xFEED_FEED as UInt32, to: &file)
        append(2 as UInt32, to: &file)
        append(UInt32(certificates.count), to: &file)
        for (index, certificate) in certificates.enumerated() {
            append(2 as UInt32, to: &file)
            append("inspect-\(index)", to: &file)
            append(UInt64(max(0, now.timeIntervalSince1970) * 1_000), to: &file)
            append("X.509", to: &file)
            append(UInt32(certificate.count), to: &file)
            file += certificate
        }
        var digest = Insecure.SHA1()
        digest.update(data: password.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        digest.update(data: Array("Mighty Aphrodite".utf8))
        digest.update(data: file)
        return file + Array(digest.finalize())
    }

    private static func append(_ number: some FixedWidthInteger, to file: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { file += $0 }
    }

    /// A short text of ASCII, after its length in two bytes.
    private static func append(_ text: String, to file: inout [UInt8]) {
        append(UInt16(text.utf8.count), to: &file)
        file += Array(text.utf8)
    }
}
