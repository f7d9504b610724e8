import Support

/// One start of a proxy, the first request through it, by a program that `inspect run` starts, and its end.
struct FirstRequest {
    /// Where the store and the root are.
    let directory: TemporaryDirectory
    /// From the start to the end of the program that asked.
    let took: Duration

    /// Does all of it.
    ///
    /// - Parameters:
    ///   - directory: where the store and the root are, or are made.
    ///   - program: the file of `inspect`; by default the one beside the tests.
    /// - Throws: `Unexpected` where the request was not answered by its server.
    init(in directory: TemporaryDirectory, by program: String? = nil) async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
        let began = ContinuousClock.now
        let proxy = try await RunningInspect.start(in: directory, ["--upstream-ca", authority.rootFile], by: program)
        let url = "https://localhost:\(origin.port)/length"
        let command = ["run"] + RunningInspect.places(directory) + ["--", "curl", "-sSf", url]
        let ran = try await RunningInspect.run(command, in: directory, by: program)
        took = ContinuousClock.now - began
        self.directory = directory
        guard ran.status == 0, origin.answered.count == 1 else { throw Unexpected("\(url): \(ran.errors)") }
        guard try await proxy.process.stop().status == 0 else { throw Unexpected("the proxy did not end well") }
    }
}
