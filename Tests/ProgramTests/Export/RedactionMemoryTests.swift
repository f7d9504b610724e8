import Foundation
import Support
import Testing

@Suite("What it takes to mask a large body", .timeLimit(.minutes(15)))
struct RedactionMemoryTests {
    /// Runs a program and prints the most memory that it had, in bytes.
    private static let script = """
        import resource, subprocess, sys
        status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
        unit = 1 if sys.platform == "darwin" else 1024
        print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)
        """

    /// The most memory that a shared export of a list of numbers under a name takes.
    private func peakBytes(_ name: String) async throws -> Int {
        let store = try CapturedStore()
        let body = Array("{\"\(name)\":[\(String(repeating: "1,", count: 1 << 20))1]}".utf8)
        try await store.record(Sample(1, fields: "Content-Type: application/json\r\n", responseBody: body))
        let ran = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", Self.script, try Executable.inspect(), "export", "--share", "--store", store.path],
            within: .seconds(300)
        )
        let words = ran.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(words.count == 2 && words[0] == 0, "\(ran)")
        return words[1]
    }

    @Test("Values that wait for the name of a secret take hardly more memory than others, however many they are")
    func values() async throws {
        let (waiting, others) = (try await peakBytes("value"), try await peakBytes("other"))
        #expect(waiting < others + (16 << 20), "\(waiting) \(others)")
    }
}
