import Foundation
import Proxy
import Support
import Testing
import Traffic

@testable import inspect

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

    private func decide(_ options: [String], _ hosts: [String]) async throws -> [String] {
        let directory = try TemporaryDirectory()
        let script = try StartCommand.parse(options).script.script()
        let file = try directory.write(script.text(proxy: Endpoint(host: "fd00::1", port: 9_090)), to: "proxy.pac")
        let harness = try directory.write(Self.harness, to: "harness.js")
        let result = try await CommandLineTool.run("node", [harness, file] + hosts)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test("Without options every host goes through the proxy")
    func all() async throws {
        let said = try await decide([], ["a.test", "127.0.0.1", "::1"])
        #expect(said == Array(repeating: "PROXY [fd00::1]:9090", count: 3))
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
        let isProxied = said.map { $0.hasPrefix("PROXY ") }
        #expect(isProxied == [true, true, false, false, false, true, true, true, false], "\(said)")
        #expect(Set(said) == ["PROXY [fd00::1]:9090", "DIRECT"])
    }
}
