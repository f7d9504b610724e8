import Foundation
import Proxy
import Support
import Testing
import Traffic
import Trust

@testable import inspect

/// The pages for a device that is to be set up.
@Suite(.timeLimit(.minutes(15))) struct DevicePagesTests {
    private let root: RootCertificate
    private let pages: LocalPages

    init() throws {
        root = try RootCertificate(newOn: "a & b's \"machine\"", now: Date())
        var script = ProxyScript()
        script.excluded = [HostPattern("*.bank.test")].compactMap { $0 }
        pages = DevicePages(root: root, script: script).pages(names: ["localhost"])
    }

    private func page(_ path: String, isDecrypted: Bool = false, isProxied: Bool = false) -> LocalPage? {
        let proxy = Endpoint(host: "192.0.2.7", port: 9_090)
        return pages.page(
            LocalPageRequest(path: path, isDecrypted: isDecrypted, proxy: proxy, isProxied: isProxied)
        )
    }

    private func text(_ page: LocalPage?) throws -> String {
        String(decoding: try #require(page).content, as: UTF8.self)
    }

    @Test("The certificate is given as PEM, as DER under two names, and in a profile that Python's plistlib reads")
    func certificate() async throws {
        #expect(try text(page("/ca.pem")) == root.pem)
        #expect(page("/ca.der")?.content == root.der && page("/ca.crt")?.content == root.der)
        #expect(
            page("/ca.crt")?.fileName == "inspect-root.crt"
                && page("/ca.der")?.mediaType == "application/x-x509-ca-cert"
        )
        let directory = try TemporaryDirectory()
        let profile = try #require(page("/ca.mobileconfig"))
        #expect(profile.mediaType == "application/x-apple-aspen-config")
        let file = try directory.write(try text(profile), to: "root.mobileconfig")
        let der = try directory.write(Data(root.der).base64EncodedString(), to: "root.base64")
        let script = """
            import base64, plistlib, sys, uuid
            profile = plistlib.load(open(sys.argv[1], 'rb'))
            [content] = profile['PayloadContent']
            assert content['PayloadContent'] == base64.b64decode(open(sys.argv[2]).read())
            assert content['PayloadType'] == 'com.apple.security.root' and profile['PayloadType'] == 'Configuration'
            assert uuid.UUID(content['PayloadUUID']) != uuid.UUID(profile['PayloadUUID'])
            assert profile['PayloadRemovalDisallowed'] is False
            print(content['PayloadDisplayName'])
            """
        let read = try await CommandLineTool.run("python3", ["-c", script, file, der])
        #expect(read.status == 0, "\(read.errors)")
        #expect(read.output == root.commonName + "\n")
        let again = ConfigurationProfile(root: root).text
        #expect(again == (try text(profile)), "the same root makes the same profile")
    }

    @Test("The page names where its client reaches the proxy, loads the check and nothing else, and holds no script")
    func html() throws {
        let direct = try #require(page("/"))
        let html = try text(direct)
        #expect(html.contains("<code>192.0.2.7</code>") && html.contains("<code>9090</code>"))
        #expect(html.contains("http://192.0.2.7:9090/proxy.pac") && html.contains(root.fingerprint))
        #expect(html.contains("src=\"https://inspect.proxy/check-"))
        #expect(!html.lowercased().contains("<script") && !html.contains("`"))
        #expect(direct.policy.hasPrefix("default-src 'none'; img-src https://inspect.proxy; style-src 'self';"))
        for platform in ["iPhone", "Android", "macOS", "Windows", "Linux", "Firefox"] {
            #expect(html.contains("<summary>\(platform)"), "\(platform)")
        }
        #expect(html.contains("/usr/local/share/ca-certificates/\(root.systemFileName) "))
        let links = html.matches(of: /(?:href|src)="(\/[^"]*)"/).map { String($0.output.1) }
        #expect(Set(links) == ["/device.css", "/ca.mobileconfig", "/ca.crt", "/ca.pem"])
        #expect(links.allSatisfy { page($0) != nil })
        let proxied = try text(page("/", isProxied: true))
        #expect(proxied.contains("nothing is left to do here") && proxied.contains("http://inspect.proxy/ca.pem"))
    }

    @Test("The check says that decryption works only where it was decrypted; nothing else is there")
    func check() throws {
        #expect(try text(page("/check", isDecrypted: true, isProxied: true)).hasPrefix("Decryption works"))
        #expect(try text(page("/check", isProxied: true)).hasPrefix("This client uses the proxy. Whether"))
        #expect(try text(page("/check")).contains("did not ask through it"))
        for path in ["", "//", "/index.html", "/api/v1/exchanges", "/ca.key", "/ca/root.pem", "/proxy.pac/"] {
            #expect(page(path) == nil, "\(path)")
        }
    }

    @Test("The picture is where our own page says, which no other site knows, and elsewhere in the next run")
    func picture() throws {
        let html = try text(page("/", isProxied: true))
        let picture = try #require(
            html.firstMatch(of: /src="https:\/\/inspect\.proxy(\/check-[A-Za-z0-9_-]{22,}\.svg)"/)
        ).output.1
        #expect(page(String(picture), isDecrypted: true, isProxied: true)?.mediaType == "image/svg+xml")
        #expect(page(String(picture), isProxied: true) == nil, "not decrypted")
        for path in ["/check.svg", "/check-.svg", "/check-x.svg"] {
            #expect(page(path, isDecrypted: true) == nil, "\(path)")
        }
        #expect(try text(page("/")).contains(picture), "straight to the listener too")
        let next = DevicePages(root: root).pages(names: [])
        let asked = LocalPageRequest(
            path: String(picture),
            isDecrypted: true,
            proxy: Endpoint(host: "192.0.2.7", port: 9_090),
            isProxied: true
        )
        #expect(next.page(asked) == nil)
    }

    @Test("What stands in a sentence is text, never markup")
    func escaping() {
        #expect(Array(MarkedSentence("'\u{301}").html.utf8) == Array("&#39;\u{301}".utf8))
        #expect(
            MarkedSentence("a `<b> & \"c\"` 'd'").html == "a <code>&lt;b&gt; &amp; &quot;c&quot;</code> &#39;d&#39;"
        )
    }
}
