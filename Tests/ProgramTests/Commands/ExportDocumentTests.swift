import Support
import Testing

/// The document of an API, as `inspect export` writes it.
@Suite(.timeLimit(.minutes(15))) struct ExportDocumentTests {
    @Test("Without an exchange to learn from there is no document, and status 2")
    func nothing() async throws {
        let store = try CapturedStore()
        let run = try await store.inspect("export", "--format", "openapi")
        #expect(run.status == 2 && run.errors == "inspect: no exchange to learn from: all exchanges\n", "\(run.errors)")
        let former = try await store.inspect("openapi", "infer", "--yaml")
        let remark = "inspect: 'inspect openapi infer' is now 'inspect export --format openapi'\n"
        #expect(former.status == 2 && former.errors == remark + run.errors, "\(former.errors)")
    }
}
