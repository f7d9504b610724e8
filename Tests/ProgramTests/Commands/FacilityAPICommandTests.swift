import Support
import Testing

@Suite(.timeLimit(.minutes(15))) struct FacilityAPICommandTests {
    @Test("facility-api serves HTTPS with the certificate it wrote, at the time it was told")
    func serves() async throws {
        let directory = try TemporaryDirectory()
        let server = try RunningProcess(
            try Executable.inspect(),
            [
                "facility-api", "--tls", "--certificate", directory.file("api.pem"), "--now", "2026-09-18T12:00Z",
                "--fault", "429:0",
            ]
        )
        let line = try await server.line(containing: "listens at")
        let address = try #require(line.firstMatch(of: /https:\/\/localhost:\d+/)).output
        let curl = try await CommandLineTool.run(
            "curl",
            ["-sS", "-i", "--cacert", directory.file("api.pem"), "\(address)/whatsopen/v2/facilities/?format=json"]
        )
        #expect(curl.status == 0)
        #expect(curl.output.hasPrefix("HTTP/1.1 200"))
        #expect(curl.output.contains("Fri, 18 Sep 2026 12:0"))
        #expect(try await server.stop().status == 0)
    }
}
