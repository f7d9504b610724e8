import Foundation
import Traffic
import Trust
import Web

/// The pages that the proxy itself gives a device which is to be set up: the certificate, steps for each platform, and a check that it works.
///
/// Nothing in them is secret, and nothing a script: a device that trusts nothing yet reads them.
struct DevicePages: Sendable {
    /// The root whose certificate is given out.
    let root: RootCertificate
    /// Which hosts an automatically configured client sends through the proxy.
    let script: ProxyScript
    /// Where the picture is that shows that decryption works.
    ///
    /// It is elsewhere in each run, and our page alone says where: no site is to learn from it that its visitor's traffic is read.
    private let picture = "/check-\(WebConfiguration.randomToken()).svg"

    /// - Parameters:
    ///   - root: the root whose certificate is given out.
    ///   - script: which hosts an automatically configured client sends through the proxy.
    init(root: RootCertificate, script: ProxyScript = ProxyScript()) { (self.root, self.script) = (root, script) }

    /// Where the check is, which only a device reaches that uses the proxy and trusts the root.
    static let check = "https://\(LocalPages.host)/check"

    /// The pages, for a proxy on a machine of these names.
    func pages(names: Set<String>) -> LocalPages {
        let profile = ConfigurationProfile(root: root)
        return LocalPages(names: names) { page($0, profile) }
    }

    /// The page of a request; `nil` where there is none.
    func page(_ request: LocalPageRequest, _ profile: ConfigurationProfile) -> LocalPage? {
        switch request.path {
        case "/":
            var page = LocalPage(mediaType: "text/html; charset=utf-8", content: html(request).utf8)
            page.policy =
                "default-src 'none'; img-src https://\(LocalPages.host); style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            return page
        case "/device.css": return LocalPage(mediaType: "text/css; charset=utf-8", content: DeviceStyle.text.utf8)
        case "/ca.pem":
            return LocalPage(
                mediaType: "application/x-pem-file",
                content: root.pem.utf8,
                fileName: "inspect-root.pem"
            )
        // The same bytes: Android and Windows know the second name.
        case "/ca.der", "/ca.crt":
            return LocalPage(
                mediaType: "application/x-x509-ca-cert",
                content: root.der,
                fileName: "inspect-root.\(request.path.suffix(3))"
            )
        case "/ca.mobileconfig":
            return LocalPage(
                mediaType: "application/x-apple-aspen-config",
                content: profile.text.utf8,
                fileName: "inspect-root.mobileconfig"
            )
        case "/proxy.pac":
            return LocalPage(
                mediaType: "application/x-ns-proxy-autoconfig",
                content: script.text(proxy: request.proxy).utf8
            )
        case "/check": return LocalPage(mediaType: "text/plain; charset=utf-8", content: verdict(request).utf8)
        case picture where request.isDecrypted:
            return LocalPage(mediaType: "image/svg+xml", content: DeviceStyle.check.utf8)
        default: return nil
        }
    }

    private func verdict(_ request: LocalPageRequest) -> String {
        if request.isDecrypted {
            return "Decryption works: this client uses the proxy and trusts its root certificate.\n"
        }
        if request.isProxied {
            return "This client uses the proxy. Whether it trusts its root certificate, \(DevicePages.check) says.\n"
        }
        return
            "This client reaches the proxy, but did not ask through it. \(DevicePages.check) says whether all is set.\n"
    }

    private func html(_ request: LocalPageRequest) -> String {
        let guide = DeviceGuide(
            proxy: request.proxy,
            systemFileName: root.systemFileName,
            isProxied: request.isProxied
        )
        let sections = guide.platforms.enumerated().map { position, platform in
            let steps = platform.steps.map { "<li>\($0.html)</li>" }.joined(separator: "\n")
            return
                "<details\(position == 0 ? " open" : "")><summary>\(MarkedSentence.escaped(platform.title))</summary><ol>\n\(steps)\n</ol></details>"
        }
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>inspect: set up this device</title>
            <link rel="stylesheet" href="/device.css">
            <link rel="icon" href="data:,">
            </head>
            <body>
            <main>
            <h1>Set up this device</h1>
            <p>What this device sends through the proxy is recorded and can be read on the machine that it runs on. Trust its certificate only \
            on a device of your own, and take it away again afterwards.</p>
            <h2>1. Does it work already?</h2>
            <p class="check"><img src="https://\(LocalPages.host)\(picture)" alt="Not yet: this device does not use the proxy, or \
            does not trust its certificate."></p>
            <p>Load this page again to check again, or open <a href="\(DevicePages.check)">\(DevicePages.check)</a>: a warning of the browser \
            means that the certificate is not trusted, a name that is not found that the proxy is not used.</p>
            <h2>2. The proxy</h2>
            \(guide.proxySteps.map { "<p>\($0.html)</p>" }.joined(separator: "\n"))
            <h2>3. The certificate</h2>
            <ul class="files">
            <li><a href="/ca.mobileconfig">Profile</a> for iPhone, iPad and Mac</li>
            <li><a href="/ca.crt">DER</a> for Android and Windows</li>
            <li><a href="/ca.pem">PEM</a> for everything else</li>
            </ul>
            <p>Compare its SHA-256 fingerprint with what <code>inspect ca</code> prints, before you trust it:</p>
            <p class="fingerprint"><code>\(MarkedSentence.escaped(root.fingerprint))</code></p>
            <h2>4. Steps</h2>
            \(sections.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }
}
