import ArgumentParser
import Foundation
import Support
import Testing
import Traffic
import Trust

@testable import ProgramTests
@testable import inspect

/// The variables by which programs find the proxy and our root, whatever this shell has in them.
@Suite(.timeLimit(.minutes(15))) struct ClientEnvironmentTests {
    private static let bundled = [
        "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO", "AWS_CA_BUNDLE",
        "CARGO_HTTP_CAINFO",
    ]

    @Test(
        "A command has each variable that programs read, once, and those of this shell that have nothing to do with it"
    )
    func variables() async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let system = try directory.write(try String(contentsOfFile: authority.rootFile, encoding: .utf8), to: "own.pem")
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "env"],
            in: directory,
            environment: [
                "no_proxy": "localhost", "NO_PROXY": "*", "HTTP_PROXY": "http://other.test:1", "MINE": "kept",
                "NODE_OPTIONS": "--no-warnings", "JAVA_TOOL_OPTIONS": "-Xmx64m", "SSL_CERT_FILE": system,
            ]
        )
        #expect(ran.status == 0, "\(ran.errors)")
        let pairs = ran.output.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let variables = Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }) { first, _ in first }
        let proxies = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"]
        let proxy = try #require(variables["https_proxy"]?.wholeMatch(of: /http:\/\/127\.0\.0\.1:(\d+)/))
        for name in proxies { #expect(variables[name] == String(proxy.output.0), "\(name)") }
        #expect(variables["NO_PROXY"] == "" && variables["no_proxy"] == "" && variables["MINE"] == "kept")

        let clients = directory.file("ca/clients")
        for name in Self.bundled { #expect(variables[name] == clients + "/bundle.pem", "\(name)") }
        let bundle = String(decoding: try directory.read("ca/clients/bundle.pem"), as: UTF8.self)
        let root = String(decoding: try directory.read("ca/root.pem"), as: UTF8.self)
        // What this shell trusted stays trusted.
        #expect(bundle == String(decoding: try directory.read("own.pem"), as: UTF8.self) + root)
        // Deno and Node add a file to their own roots.
        for name in ["DENO_CERT", "NODE_EXTRA_CA_CERTS"] { #expect(variables[name] == directory.file("ca/root.pem")) }
        #expect(variables["NODE_USE_ENV_PROXY"] == "1")
        #expect(variables["NODE_OPTIONS"] == "--no-warnings --require \"\(clients)/node.cjs\"")
        #expect(variables["WGETRC"] == clients + "/wgetrc")
        let java = try #require(variables["JAVA_TOOL_OPTIONS"])
        #expect(java.hasPrefix("-Xmx64m ") && java.contains("-Dhttp.nonProxyHosts= "))
        #expect(java.contains("-Dhttps.proxyPort=\(proxy.output.1) ") && java.contains("\(clients)/roots.jks'"))
    }

    @Test("The bundle is left alone while it holds the root, and made anew where it does not")
    func kept() throws {
        let directory = try TemporaryDirectory()
        let other = try TrustFiles(directory: directory.file("other")).openRoot(hostName: "other", now: Date())
        let environment = ["SSL_CERT_FILE": try directory.write(other.pem, to: "own.pem")]
        let files = TrustFiles(directory: directory.file("ca"))
        let root = try files.openRoot(hostName: "host", now: Date())
        func keep(_ environment: [String: String]) throws -> String {
            try ClientTrust.keepBundle(of: root, in: files, environment: environment)
            return String(decoding: try directory.read("ca/clients/bundle.pem"), as: UTF8.self)
        }
        #expect(try keep(environment) == other.pem + root.pem)
        // A shell that knows of no other roots takes none away.
        #expect(try keep([:]) == other.pem + root.pem)
        try directory.write(other.pem, to: "ca/clients/bundle.pem")
        #expect(try keep(environment) == other.pem + root.pem)
    }

    @Test("A shell whose SSL_CERT_FILE names our root alone is not taken for a machine that trusts nothing else")
    func alone() throws {
        let directory = try TemporaryDirectory()
        let authority = try CAOptions.parse(["--ca-directory", directory.file("ca")])
        func bundle(_ environment: [String: String]) throws -> [UInt8] {
            _ = try ClientTrust(authority: authority, environment: environment)
            return try directory.read("ca/clients/bundle.pem")
        }
        let usual = try bundle(["HOME": directory.path])
        let root = directory.file("ca/root.pem")
        #expect(try bundle(["HOME": directory.path, "SSL_CERT_FILE": root]) == usual)
        let system = PEM.certificates(String(decoding: usual, as: UTF8.self))
        #expect(system.count > 1, "this machine has roots of its own")
    }

    @Test("Roots of this machine in lines of another length, or that are none, leave Java the others and ours")
    func oddRoots() throws {
        let directory = try TemporaryDirectory()
        let other = try TrustFiles(directory: directory.file("other")).openRoot(hostName: "other", now: Date())
        let lines = Data(other.der).base64EncodedString(options: [.lineLength76Characters, .endLineWithCarriageReturn])
        let end = "-----END CERTIFICATE-----\n"
        let odd = "-----BEGIN CERTIFICATE----- \n" + lines + "\n" + end + "-----BEGIN CERTIFICATE-----\nYWJj\n" + end
        let environment = ["SSL_CERT_FILE": try directory.write(odd, to: "odd.pem"), "HOME": directory.path]
        let authority = try CAOptions.parse(["--ca-directory", directory.file("ca")])
        let trust = try ClientTrust(authority: authority, environment: environment)
        let store = try Data(contentsOf: URL(filePath: trust.javaPath))
        // Behind the magic and the version, how many there are.
        #expect(Array(store[8..<12]) == [0, 0, 0, 2])
        let own = try authority.openRoot()
        #expect(store.range(of: Data(other.der)) != nil && store.range(of: Data(own.der)) != nil)
    }
}
