import Foundation
import Testing
import Traffic
import Web

@Suite("The way in for a newcomer, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct SetupPageTests {
    /// What the client of a refused certificate leaves behind.
    private static func distrusted() -> Exchange {
        var exchange = Recorded.refused()
        exchange.method = "CONNECT"
        exchange.failure = ExchangeFailure(
            side: .client,
            phase: .tls,
            cause: .unknownCA,
            message: "The client refused our certificate."
        )
        return exchange
    }

    /// Clients of variables that no program reads, so that what the page tells can only come from its server.
    private static let clients: [InstanceInformation.Client] = [
        .init(name: "most", variables: [.init("https_proxy", .proxy), .init("EMPTY", .text(""))]),
        .init(name: "curl", variables: [.init("https_proxy", .proxy), .init("A_ROOTS", .bundle)]),
        .init(name: "python", variables: [.init("HTTPS_PROXY", .proxy), .init("B_ROOTS", .bundle)]),
        .init(
            name: "node",
            variables: [.init("HTTPS_PROXY", .proxy), .init("SWITCH", .text("1")), .init("C_ROOT", .root)]
        ),
    ]

    @Test("Every kind of client has steps with this proxy's address and certificate; the certificate is a link")
    func tells() async throws {
        let pem = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n"
        try await RunningPage.with(
            control: ReplayRecorder(),
            inform: { information in
                information.caPEM = pem
                information.proxy = "127.0.0.1:9123"
                information.caFile = "/home/sam's/ca/root.pem"
                information.caBundleFile = "/home/sam's/ca/bundle.pem"
                information.clients = Self.clients
                information.storePath = "/data/it's.db"
                information.ways = [.init(mode: "explicit", host: "127.0.0.1", port: 9_123)]
                information.addresses = ["192.0.2.7"]
            }
        ) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/setup?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#place .setup')")
                #expect(try await browser.text("location.pathname") == "/setup")
                #expect(
                    try await browser.text("document.querySelector('#places [aria-current]').textContent") == "Set up"
                )
                let quick = try await browser.run(
                    "return [...document.querySelectorAll('#place .quick pre')].map((line) => line.textContent)"
                )
                let store = #"--store '/data/it'\''s.db'"#
                #expect(
                    quick as? [String] == [
                        "inspect run \(store) -- curl https://example.com/", "inspect browser \(store)",
                        "eval \"$(inspect env \(store))\"",
                    ]
                )
                #expect(
                    try await browser.text("document.querySelectorAll('#place .quick .command button').length") == "3"
                )
                let files = try await browser.text("document.querySelector('#place .certificate dl').innerText")
                #expect(files.contains("/home/sam's/ca/bundle.pem") && files.contains("/home/sam's/ca/root.pem"))
                var told: [String] = []
                let tabs =
                    try await browser.run("return document.querySelectorAll('#place [role=tab]').length") as? Int ?? 0
                _ = try await browser.run("document.querySelector('#place [role=tab][aria-selected=true]').focus()")
                for _ in 0..<tabs {
                    told.append(try await browser.text("document.querySelector('#place [role=tabpanel]').innerText"))
                    try await browser.press("ArrowRight")
                }
                try #require(told.count == 7)
                #expect(
                    told[0].contains("https_proxy=http://127.0.0.1:9123")
                        && told[0].contains("networksetup -setwebproxy Wi-Fi 127.0.0.1 9123")
                )
                #expect(told[0].contains("/usr/local/share/ca-certificates/inspect-root-0123456789abcdef.crt && sudo"))
                #expect(told[1].contains("--proxy-server=http://127.0.0.1:9123") && told[1].contains("Firefox"))
                #expect(
                    told[2].contains("inspect start --listen 0.0.0.0 --port 9123 --proxy-auth")
                        && told[2].contains("--allow-client 192.0.2.0/24") && told[2].contains("http://192.0.2.7:9123/")
                )
                #expect(
                    told[3].contains(
                        #"curl --proxy http://127.0.0.1:9123 --cacert '/home/sam'\''s/ca/bundle.pem' https://example.com/"#
                    )
                )
                let (proxy, bundle) = ("http://127.0.0.1:9123", #"'/home/sam'\''s/ca/bundle.pem'"#)
                let root = #"'/home/sam'\''s/ca/root.pem'"#
                // Each variable once, those that hold the same in a line.
                #expect(told[0].contains("export https_proxy=\(proxy) HTTPS_PROXY=\(proxy)\nexport EMPTY= SWITCH=1\n"))
                #expect(told[0].contains("\nexport A_ROOTS=\(bundle) B_ROOTS=\(bundle)\nexport C_ROOT=\(root)"))
                #expect(told[3].contains("export https_proxy=\(proxy) A_ROOTS=\(bundle)\n"))
                #expect(told[4].contains("export HTTPS_PROXY=\(proxy) B_ROOTS=\(bundle)\n"))
                #expect(told[4].contains(#"verify="/home/sam's/ca/bundle.pem""#))
                #expect(told[5].contains("export HTTPS_PROXY=\(proxy) SWITCH=1 C_ROOT=\(root)\n"))
                #expect(told[5].contains("// C_ROOT=\(root) node program.mjs"))
                #expect(told[6].contains("docker run --rm --network=host"))
                #expect(told[6].contains("-v \(root):/inspect-root.pem:ro"))
                #expect(told[6].contains("-e EMPTY= -e SWITCH=1"))
                #expect(told[6].contains("-v \(bundle):/inspect-bundle.pem:ro"))
                #expect(told[6].contains("-e A_ROOTS=/inspect-bundle.pem -e B_ROOTS=/inspect-bundle.pem"))
                #expect(told[6].contains("-e C_ROOT=/inspect-root.pem"))
                #expect(try await browser.text("document.querySelectorAll('.command button').length > 0") == "true")
                let served =
                    try await browser.run(
                        """
                        const links = [...document.querySelectorAll('#place .certificate a')];
                        return Promise.all(links.map(async (a) => (await fetch(a.href)).arrayBuffer().then((bytes) => bytes.byteLength)));
                        """
                    ) as? [Int]
                #expect(served == [pem.utf8.count, 3])
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("The steps begin with those of the visitor's system; a proxy without a way in for them names no command")
    func visitor() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/setup?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#place .setup')")
                let told =
                    try await browser.run(
                        """
                        return import(asset("setup-ways.js")).then(({ commands, visitorSystem, ways, whereabouts }) => {
                          const mac = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Safari/605.1.15";
                          const visitors = [
                            { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0", maxTouchPoints: 0 },
                            { userAgent: mac, maxTouchPoints: 0 }, { userAgent: mac, maxTouchPoints: 5 },
                            { userAgent: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/140.0", maxTouchPoints: 10 },
                            { userAgent: "Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/140.0", maxTouchPoints: 5 },
                          ];
                          const at = whereabouts({ proxy: "127.0.0.1:9090", caFile: "/r", caBundleFile: "/b" });
                          const begun = visitors.map((visitor) => {
                            const [kinds, first] = ways(at, visitorSystem(visitor));
                            return `${first}: ${kinds.find(({ name }) => name === first).steps[0].title}`;
                          });
                          return [...begun, String(commands({ ways: [{ mode: "socks5" }] }).length)];
                        });
                        """
                    ) as? [String]
                #expect(
                    told == [
                        "machine: Linux with GNOME: every app that follows the system", "machine: macOS: every app",
                        "phone: First let the proxy listen beyond this machine",
                        "machine: Windows: every app of this user",
                        "phone: First let the proxy listen beyond this machine", "0",
                    ]
                )
            }
        }
    }

    @Test("A proxy that others reach names the addresses for them, and the page that it gives a device")
    func tellsOthers() async throws {
        try await RunningPage.with(
            control: ReplayRecorder(),
            inform: { information in
                information.ways = [.init(mode: "explicit", host: "0.0.0.0", port: 9_123)]
                information.addresses = ["192.0.2.7", "2001:db8::7"]
            }
        ) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/setup?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#place [data-name=phone]')")
                try await browser.click("#place [data-name=phone]")
                let phone = try await browser.text("document.querySelector('#place [role=tabpanel]').innerText")
                #expect(phone.contains("http://192.0.2.7:9123/\nhttp://[2001:db8::7]:9123/"))
                #expect(phone.contains("\n192.0.2.7:9123\n[2001:db8::7]:9123") && phone.contains("inspect.proxy"))
                try await browser.click("#place [data-name=docker]")
                let docker = try await browser.text("document.querySelector('#place [role=tabpanel]').innerText")
                #expect(docker.contains("-e https_proxy=http://host.docker.internal:9123"))
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "Two lights turn green with the first request and the first decrypted one; a refused certificate is explained"
    )
    func turnsGreen() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/setup?token=\(page.token)")
                let lights =
                    "[...document.querySelectorAll('.light')].map((light) => light.classList.contains('on')).join()"
                try await browser.wait(
                    until: "document.querySelector('.light').textContent.includes('1 recorded before')"
                )
                #expect(try await browser.text(lights) == "false,false")
                try await page.store.record(Self.distrusted())
                try await browser.wait(until: "\(lights) === 'true,false'")
                let cause = "document.querySelector('.cause')"
                #expect(
                    try await browser.text("\(cause).textContent").contains("does not trust the root certificate yet")
                )
                try await page.store.record(Recorded.exchange(scheme: .http))
                try await page.store.record(Recorded.exchange(target: "/now"))
                try await browser.wait(until: "\(lights) === 'true,true' && \(cause).hidden")
                #expect(
                    try await browser.text("document.querySelectorAll('.light')[1].textContent").hasSuffix(
                        "GET https://api.example.test/now"
                    )
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("An empty store shows the same, with the lights; the first exchange takes its place")
    func welcomes() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.welcome .light')")
                #expect(
                    try await browser.text("document.querySelector('.welcome h2').textContent")
                        == "Nothing recorded yet"
                )
                try await page.store.record(Recorded.exchange())
                try await browser.wait(
                    until: "document.querySelector('tr[data-id]') && !document.querySelector('.welcome')"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("When the first request of all fails for want of trust, its cause stays in sight beside the list")
    func staysBesideList() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                let pass = try #require(try await page.post("/api/v1/passes").object()["pass"] as? String)
                try await browser.open("http://127.0.0.1:\(page.port)/?pass=\(pass)")
                try await browser.wait(until: "document.querySelector('.welcome .light')")
                #expect(try await browser.text("location.search") == "", "A pass stays in no address")
                try await page.store.record(Self.distrusted())
                try await browser.wait(
                    until: "document.querySelector('tr[data-id]') && document.querySelector('.first-steps .cause')"
                )
                let cause = try await browser.text("document.querySelector('.first-steps .cause').textContent")
                #expect(cause.contains("does not trust the root certificate yet"))
                try await page.store.record(Recorded.exchange())
                try await browser.wait(until: "document.querySelectorAll('.first-steps .light.on').length === 2")
                try await browser.click(".first-steps > .button")
                #expect(try await browser.text("document.querySelector('.first-steps')") == "null")
                #expect(try await browser.console() == [])
            }
        }
    }
}
