import Support
import Testing

@Suite("inspect openapi", .timeLimit(.minutes(15)))
struct OpenAPICommandTests {
    @Test("Without an exchange to learn from there is no document, and status 2")
    func nothing() async throws {
        let store = try CapturedStore()
        let run = try await store.inspect("openapi", "infer")
        #expect(run.status == 2 && run.errors.contains("no exchange to learn from"), "\(run.errors)")
    }
}
