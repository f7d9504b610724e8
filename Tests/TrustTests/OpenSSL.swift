import Foundation
import Support
import Trust

/// The real openssl command, the judge of what is minted here.
enum OpenSSL {
    /// How it ended and what it said.
    struct Answer {
        let status: Int32
        /// Standard output and error together.
        let text: String
    }

    /// Runs openssl with `arguments` and waits for its end.
    static func run(_ arguments: [String]) async throws -> Answer {
        let result = try await CommandLineTool.run("openssl", arguments)
        return Answer(status: result.status, text: result.output + result.errors)
    }

    /// Verifies a leaf as a TLS client that trusts one root alone would, its own or another; `options` add `-verify_hostname` and the like.
    static func verify(_ leaf: LeafCertificate, by root: [UInt8]? = nil, _ options: [String]) async throws -> Answer {
        let directory = try TemporaryDirectory()
        let root = try directory.write(pem(root ?? leaf.rootDER), to: "root.pem")
        let certificate = try directory.write(pem(leaf.der), to: "leaf.pem")
        return try await run(
            ["verify", "-x509_strict", "-auth_level", "2", "-purpose", "sslserver", "-CAfile", root]
                + options + [certificate]
        )
    }

    private static func pem(_ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
}
