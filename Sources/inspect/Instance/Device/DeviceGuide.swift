import Traffic
import Trust

/// How a device is pointed at the proxy and made to trust its root, in words and commands for each platform.
struct DeviceGuide: Sendable {
    /// One platform's steps, in order.
    struct Platform: Sendable {
        let title: String
        let steps: [MarkedSentence]
    }

    /// Where the device reaches the proxy.
    let proxy: Endpoint
    /// The name of the root's file among those of a system.
    let systemFileName: String
    /// Whether it asked through the proxy, and so is pointed at it already.
    let isProxied: Bool

    /// How the proxy is set.
    var proxySteps: [MarkedSentence] {
        if isProxied { return ["This device asked through the proxy: nothing is left to do here."] }
        return [
            "In the network's settings of this device (of the Wi-Fi that it is in), choose a manual proxy: server `\(Endpoint.bracketed(proxy.host))`, port `\(proxy.port)`; with the user and password of `--proxy-auth`, where the proxy was started with them.",
            "Or choose an automatic one, with the address `\(here)/proxy.pac`.",
        ]
    }

    /// The platforms, those first that are set up by this page alone.
    var platforms: [Platform] {
        [
            Platform(
                title: "iPhone, iPad",
                steps: [
                    "In Safari, open the profile above and allow the download.",
                    "Settings, `Profile Downloaded` (or General, VPN & Device Management): install it.",
                    "Settings, General, About, `Certificate Trust Settings`: switch the root on. Without this step it is installed, but not trusted.",
                    "To take it back: Settings, General, VPN & Device Management, remove the profile.",
                ]
            ),
            Platform(
                title: "Android",
                steps: [
                    "Download the DER file above.",
                    "Settings, Security, More security settings, Encryption & credentials, Install a certificate, `CA certificate`: choose `inspect-root.crt`. The names differ a little by maker; search the settings for “certificate”.",
                    "Browsers trust it now. Other apps do only where they were built to trust what a user adds: a debug build with `<certificates src=\"user\"/>` in its network security configuration.",
                    "To take it back: Encryption & credentials, User credentials, remove it.",
                ]
            ),
            Platform(
                title: "macOS",
                steps: [
                    "`curl --noproxy '*' -O \(here)/ca.pem`",
                    "`security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ca.pem`, or open the profile above and install it in System Settings, General, Device Management.",
                    "To take it back: `security remove-trusted-cert ca.pem`.",
                ]
            ),
            Platform(
                title: "Windows",
                steps: [
                    "`curl.exe --noproxy * -O \(here)/ca.crt`",
                    "`certutil -user -addstore Root ca.crt`, for every program of this user but Firefox.",
                    "To take it back: `certmgr.msc`, Trusted Root Certification Authorities, delete the root.",
                ]
            ),
            Platform(
                title: "Linux",
                steps: [
                    "`curl --noproxy '*' -O \(here)/ca.pem`",
                    "Debian, Ubuntu: `sudo install -m 644 ca.pem /usr/local/share/ca-certificates/\(systemFileName) && sudo update-ca-certificates`",
                    "Fedora: `sudo install -m 644 ca.pem /etc/pki/ca-trust/source/anchors/\(systemFileName) && sudo update-ca-trust`",
                    "\(ownLists.map(\.title).joined(separator: ", ")) have lists of their own. For the programs of a shell: `\(exports)`; on Fedora the file is `/etc/pki/tls/certs/ca-bundle.crt`.",
                    "To take it back: delete that file, then `sudo update-ca-certificates --fresh` or `sudo update-ca-trust`.",
                ]
            ),
            Platform(
                title: "Firefox, anywhere",
                steps: [
                    "Download the PEM file above.",
                    "Settings, Privacy & Security, View Certificates, Authorities, `Import`: take the file, and tick “identify websites”.",
                    "Settings, General, Network Settings: a manual proxy as above, `Also use this proxy for HTTPS`; or the address for automatic configuration.",
                    "To take it back: delete the root in the same list.",
                ]
            ),
        ]
    }

    /// The clients that ignore what is installed for the system, as far as a variable can tell them of another file.
    private var ownLists: [ClientRecipe] {
        ClientRecipe.all.filter { $0.ignoresSystem && $0.roots.contains(where: \.content.isRootFile) }
    }

    /// What tells them: once the root is installed, Debian's own file of roots holds it.
    private var exports: String {
        let commands = ownLists.flatMap {
            $0.exports(root: "\"$PWD/ca.pem\"", bundle: "/etc/ssl/certs/ca-certificates.crt")
        }
        return commands.joined(separator: "; ")
    }

    /// The listener's own address, which needs no proxy.
    private var here: String { "http://\(isProxied ? LocalPages.host : "\(proxy)")" }
}
