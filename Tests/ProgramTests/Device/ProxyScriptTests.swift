import Support
import Testing

/// The script for automatic configuration, run by a real engine.
@Suite(.timeLimit(.minutes(15))) struct ProxyScriptTests {
    /// `shExpMatch` as Chromium has it, and what the script says of each host given.
    private static let harness = """
        const fs = require('fs'), vm = require('vm');
        const shExpMatch = (text, pattern) => new RegExp(
            '^' + pattern.replace(/[.+^${}()|[\\]\\\\]/g, '\\\\$&').replace(/\\*/g, '.*').replace(/\\?/g, '.') + '$').test(text);
        const context = vm.createContext({ shExpMatch });
        vm.runInContext(fs.readFileSync(process.argv[2], 'utf8'), context);
        for (const host of process.argv.slice(3)) console.log(context.FindProxyForURL('https://' + host + '/x', host));
        """

    /// What the script of a proxy that listens on IPv6 says of hosts; the proxy itself as `PROXY`.
    private func decide(_ options: [String], _ hosts: [String]) async throws -> [String] {
        let proxy = try await RunningInspect.start(["--listen-mode", "explicit@[::1]:0"] + options)
        let directory = proxy.directory
        let address = try #require(try proxy.listeners()["explicit"])
        #expect(address.hasPrefix("[::1]:"))
        let asked = ["-sSg", "--noproxy", "*", "-o", directory.file("proxy.pac"), "http://\(address)/proxy.pac"]
        let fetched = try await CommandLineTool.run("curl", asked)
        #expect(fetched.status == 0, "\(fetched.errors)")
        let harness = try directory.write(Self.harness, to: "harness.js")
        let result = try await CommandLineTool.run("node", [harness, directory.file("proxy.pac")] + hosts)
        #expect(result.status == 0, "\(result.errors)")
        _ = try await proxy.process.stop()
        return result.output.replacing("PROXY \(address)", with: "PROXY").split(separator: "\n").map(String.init)
    }

    @Test("Without options every host goes through the proxy")
    func all() async throws {
        let said = try await decide([], ["a.test", "127.0.0.1", "::1"])
        #expect(said == ["PROXY", "PROXY", "PROXY"])
    }

    @Test("What is included goes through the proxy, unless it is excluded; names are held without case or last dot")
    func some() async throws {
        let said = try await decide(
            [
                "--pac-include", "*.app.test,api.test", "--pac-include", "192.0.2.*,[fd00::2]", "--pac-exclude",
                "cdn.app.test",
            ],
            [
                "x.APP.test", "api.test.", "cdn.app.test", "app.test", "xapi.test", "192.0.2.9", "[fd00::2]", "fd00::2",
                "other.test",
            ]
        )
        let proxied = [true, true, false, false, false, true, true, true, false]
        #expect(said == proxied.map { $0 ? "PROXY" : "DIRECT" })
    }
}
