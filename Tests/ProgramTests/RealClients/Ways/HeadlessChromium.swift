import Support

/// Chromium without a window, in a home of its own whose certificate store holds one more root.
struct HeadlessChromium: Sendable {
    private let home: TemporaryDirectory

    /// Makes the home.
    init(trusting root: String) async throws {
        home = try TemporaryDirectory()
        let database = "sql:\(home.file(".pki/nssdb"))"
        _ = try await CommandLineTool.run("mkdir", ["-p", home.file(".pki/nssdb")])
        for arguments in [
            ["-N", "--empty-password", "-d", database],
            ["-A", "-n", "inspect", "-t", "C,,", "-i", root, "-d", database],
        ] {
            let result = try await CommandLineTool.run("certutil", arguments)
            guard result.status == 0 else { throw Unexpected("certutil: \(result.errors)") }
        }
    }

    /// What has it run without a window and without asking for anything of its own, through a proxy, loopback too.
    static func options(_ profile: String, proxy: String) -> [String] {
        [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
            "--user-data-dir=\(profile)", "--proxy-server=\(proxy)", "--proxy-bypass-list=<-loopback>",
        ]
    }

    /// Loads a page through a proxy, loopback too, and prints its document when it has loaded.
    func dump(_ url: String, proxy: String) async throws -> CommandLineTool.Result {
        try await CommandLineTool.run(
            "chromium",
            Self.options(home.file("profile"), proxy: proxy) + ["--dump-dom", url],
            environment: [
                "HOME": home.path, "XDG_CONFIG_HOME": home.file("config"), "XDG_CACHE_HOME": home.file("cache"),
                "DBUS_SESSION_BUS_ADDRESS": nil,
            ],
            within: .seconds(120)
        )
    }
}
