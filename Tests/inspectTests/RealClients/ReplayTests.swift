import Support
import Testing

/// A recorded request sent once more.
@Suite struct ReplayTests {
    @Test(
        "replay sends the same bytes through the running instance, and the new row is linked to the first",
        arguments: [false, true]
    )
    func replay(isSecure: Bool) async throws {
        let authority = try await TestAuthority()
        let tls = try await authority.issue(for: ["localhost"])
        let origin = try await RecordingOrigin.start(tls: isSecure ? tls : nil)
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let target = "/echo?query&type=-1&a=+(),"
        let url = "\(isSecure ? "https" : "http")://localhost:\(origin.port)\(target)"
        let options = [
            "-sS", "--noproxy", "", "-x", inspect.proxy, "--cacert", try await inspect.rootFile(), "--globoff",
        ]
        let fields = ["-H", "x-DUP: 1", "-H", "X-Dup: 2", "-H", "Connection: close, x-hop", "-H", "X-Hop: 1"]
        let first = try await CommandLineTool.run("curl", options + fields + ["--data-binary", "a body", url])
        #expect(first.output == "a body", "\(first.errors)")

        let store = RunningInspect.store(inspect.directory)
        let replayed = try await RunningInspect.run(["replay", "1", "--store", store], in: inspect.directory)
        #expect(replayed.status == 0, "\(replayed.errors)")
        #expect(!replayed.output.isEmpty)
        let answered = origin.answered
        #expect(answered.count == 2)
        #expect(answered.first?.request.bytes == answered.last?.request.bytes)
        #expect(answered.first?.request.text.contains("x-DUP: 1\r\nX-Dup: 2\r\n") == true)
        #expect(answered.first?.request.field("x-hop") == nil, "What Connection names stops at the proxy")
        #expect(try await inspect.listing().total == 2)
        #expect(try await inspect.exchange(2).replayOf == 1)
        #expect(try await inspect.exchange(1).replayOf == nil)
        #expect(try await inspect.body(2, "request") == Array("a body".utf8))

        #expect(try await inspect.process.stop().status == 0)
        let alone = try await RunningInspect.run(["replay", "1", "--store", store], in: inspect.directory)
        #expect(alone.status == 2 && alone.errors.split(separator: "\n").count == 1, "\(alone.errors)")
    }
}
