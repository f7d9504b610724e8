import Foundation

@testable import Trust

/// The real openssl command, the judge of what is minted here.
enum OpenSSL {
    struct Answer {
        let status: Int32
        /// Standard output and error together.
        let text: String
    }

    /// Runs openssl with `arguments` and waits for its end.
    static func run(_ arguments: [String]) throws -> Answer {
        try Command.run("openssl", arguments)
    }

    /// Verifies a leaf as a TLS client that trusts only its root would; `options` add `-verify_hostname` and the like.
    static func verify(_ leaf: LeafCertificate, _ options: [String]) throws -> Answer {
        let directory = try TemporaryDirectory()
        let root = try directory.write(pem(leaf.rootDER), to: "root.pem")
        let certificate = try directory.write(pem(leaf.der), to: "leaf.pem")
        return try run(
            ["verify", "-x509_strict", "-auth_level", "2", "-purpose", "sslserver", "-CAfile", root]
                + options + [certificate]
        )
    }

    /// The text openssl prints for a certificate.
    static func text(_ der: [UInt8]) throws -> String {
        let directory = try TemporaryDirectory()
        return try run(["x509", "-noout", "-text", "-in", directory.write(pem(der), to: "certificate.pem")]).text
    }

    private static func pem(_ der: [UInt8]) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN CERTIFICATE-----\n\(lines)\n-----END CERTIFICATE-----\n"
    }
}

/// A command found on the PATH.
enum Command {
    static func run(_ name: String, _ arguments: [String]) throws -> OpenSSL.Answer {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [name] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return OpenSSL.Answer(status: process.terminationStatus, text: String(decoding: bytes, as: UTF8.self))
    }
}
