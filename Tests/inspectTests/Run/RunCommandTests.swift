import Foundation
import Support
import Testing

/// `inspect run` and `inspect env` as their user meets them.
@Suite("Commands run through the proxy", .timeLimit(.minutes(2)))
struct RunCommandTests {
    @Test(
        "The command's exit status is passed on: its own, 128 and the signal that ended it, 127 when there is no such command",
        arguments: [("exit 7", 7), ("kill -9 $$", 137), ("true", 0)] as [(String, Int32)]
    )
    func status(_ script: String, _ expected: Int32) async throws {
        let directory = try TemporaryDirectory()
        let ended = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "sh", "-c", script],
            in: directory
        )
        #expect(ended.status == expected, "\(ended.errors)")
    }

    @Test("A command that is not there is named, and nothing is said of a recording")
    func missing() async throws {
        let directory = try TemporaryDirectory()
        let ended = try await RunningInspect.run(
            ["run"] + RunningInspect.places(directory) + ["--", "no-such-command"],
            in: directory
        )
        #expect(ended.status == 127)
        #expect(ended.errors == "inspect: cannot run no-such-command: there is no such command\n")
    }

    @Test("A run leaves a HAR file of what its filter selects, through a proxy of its own")
    func recording() async throws {
        let directory = try TemporaryDirectory()
        let origin = try await RecordingOrigin.start()
        let address = "http://127.0.0.1:\(origin.port)"
        let file = directory.file("run.har")
        let ended = try await RunningInspect.run(
            ["run", "--filter", "path:/wanted", "--har", file] + RunningInspect.places(directory)
                + ["--", "curl", "-s", "\(address)/wanted", "\(address)/other"],
            in: directory
        )
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(
            ended.errors.contains("inspect: 1 exchange recorded, written to \(file); see: inspect ls id:1"),
            "\(ended.errors)"
        )
        let har = try JSONSerialization.jsonObject(with: Data(try directory.read("run.har"))) as? [String: Any]
        let entries = (har?["log"] as? [String: Any])?["entries"] as? [[String: Any]]
        #expect(entries?.compactMap { ($0["request"] as? [String: Any])?["url"] as? String } == ["\(address)/wanted"])
        #expect(try await StoredListing.read(in: directory, []).total == 2)
    }

    @Test("Beside a running proxy a command goes through that one, and so does what a shell starts after inspect env")
    func beside() async throws {
        let proxy = try await RunningInspect.start()
        let origin = try await RecordingOrigin.start()
        let address = "http://127.0.0.1:\(origin.port)"
        let ran = try await RunningInspect.run(
            ["run"] + RunningInspect.places(proxy.directory) + ["--", "curl", "-s", "\(address)/run"],
            in: proxy.directory
        )
        #expect(ran.status == 0 && ran.errors.contains("1 exchange recorded"), "\(ran.errors)")
        let variables = try await RunningInspect.run(
            ["env"] + RunningInspect.places(proxy.directory),
            in: proxy.directory
        )
        #expect(variables.status == 0, "\(variables.errors)")
        let shell = try await CommandLineTool.run(
            "sh",
            ["-c", variables.output + "curl -s \(address)/env && echo $no_proxy- && env | grep -c \(proxy.port)"]
        )
        #expect(shell.status == 0, "\(shell.errors)")
        let targets = try await proxy.listing().exchanges.map(\.target)
        #expect(targets == ["/env", "/run"])
        _ = try await proxy.process.stop()
    }

    @Test("Without a running proxy, env says how to start one; run without a command says how to give one")
    func refusals() async throws {
        let directory = try TemporaryDirectory()
        let variables = try await RunningInspect.run(["env"] + RunningInspect.places(directory), in: directory)
        #expect(variables.status == 2)
        #expect(variables.errors.contains("no proxy is running on") && variables.errors.contains("inspect start"))
        let nothing = try await RunningInspect.run(["run"] + RunningInspect.places(directory) + ["--"], in: directory)
        #expect(nothing.status == 2)
        #expect(nothing.errors.split(separator: "\n").count == 1, "\(nothing.errors)")
    }
}
