import Testing
import Traffic

@testable import Proxy

@Suite("What tells a ClientHello's sender", .timeLimit(.minutes(15)))
struct ClientHelloMarksTests {
    /// Chrome's of 2023, whose fingerprint is the example of the method's own description.
    private static let chrome = ClientHelloMarks(
        version: 0x0303,
        ciphers: [
            0x1A1A, 0x1301, 0x1302, 0x1303, 0xC02B, 0xC02F, 0xC02C, 0xC030, 0xCCA9, 0xCCA8, 0xC013, 0xC014, 0x009C,
            0x009D,
            0x002F, 0x0035,
        ],
        extensions: [
            0x2A2A, 0x001B, 0x0000, 0x0033, 0x0010, 0x4469, 0x0017, 0x002D, 0x000D, 0x0005, 0x0023, 0x0012, 0x002B,
            0xFF01,
            0x000B, 0x000A, 0x0015, 0x3A3A,
        ],
        versions: [0x5A5A, 0x0304, 0x0303],
        signatures: [0x0403, 0x0804, 0x0401, 0x0503, 0x0805, 0x0501, 0x0806, 0x0601]
    )

    @Test(
        "The fingerprint is JA4's: counts, then digests of what is offered, whatever its order and whatever means nothing"
    )
    func fingerprint() {
        let expected = "t13d1516h2_8daaf6152771_e5627efa2ab1"
        #expect(Self.chrome.fingerprint(hasName: true, protocols: ["h2", "http/1.1"]) == expected)
        var shuffled = Self.chrome
        shuffled.extensions.reverse()
        shuffled.ciphers.reverse()
        #expect(shuffled.fingerprint(hasName: true, protocols: ["h2"]) == expected)
        #expect(shuffled.fingerprint(hasName: false, protocols: ["http/1.1"]).hasPrefix("t13i1516h1_8daaf6152771_"))
        #expect(ClientHelloMarks().fingerprint(hasName: false, protocols: []) == "t00i000000_000000000000_000000000000")
        let old = ClientHelloMarks(version: 0x0302, ciphers: [0x002F], extensions: [], versions: [], signatures: [])
        #expect(old.fingerprint(hasName: false, protocols: ["\u{1}"]).hasPrefix("t11i010001_"))
    }

    /// What real clients sent, as read off the wire.
    @Test(
        "Libraries are told by their habits",
        arguments: [
            // Go 1.19.
            ([0xC02B, 0xC02F, 0x1301], [0, 5, 10, 11, 13, 65_281, 16, 18, 43, 51], .go),
            // Java 17.
            ([0x1302, 0x1301, 0x00FF], [0, 5, 10, 11, 16, 17, 23, 35, 13, 43, 45, 50, 51], .java),
            // Python 3.11 and Node 20, on OpenSSL 3.
            ([0x1302, 0x1303, 0x00FF], [0, 11, 10, 35, 16, 22, 23, 49, 13, 43, 45, 51, 21], .openssl),
            ([0x1302, 0x1303, 0x00FF], [0, 11, 10, 35, 22, 23, 13, 43, 45, 51], .openssl),
            // wget and git of Debian 12, on GnuTLS.
            ([0x1302, 0x1303, 0x1304], [5, 10, 11, 13, 35, 51, 43, 49, 65_281, 0, 45, 28, 21], .gnutls),
            ([0x1302, 0x1303, 0x1304], [5, 10, 11, 13, 16, 22, 23, 51, 43, 65_281, 0, 28], .gnutls),
            // Chromium 156.
            ([0x0A0A, 0x1301], [47_802, 51, 45, 23, 0, 43, 13, 17_613, 27, 65_037, 16, 18, 23_130], .chromium),
            ([0x1301, 0x1303], [0, 23, 65_281, 10, 11, 35, 16, 5, 34, 51, 43, 13, 45, 28], .firefox),
            ([0x1301, 0x00FF], [0, 10, 11, 13, 43, 51], .rust), ([0x1301], [0, 16, 21], nil), ([], [], nil),
        ] as [([UInt16], [UInt16], ClientRuntime?)]
    )
    func runtime(ciphers: [UInt16], extensions: [UInt16], runtime: ClientRuntime?) {
        #expect(ClientHelloMarks(version: 0x0303, ciphers: ciphers, extensions: extensions).runtime == runtime)
    }
}
