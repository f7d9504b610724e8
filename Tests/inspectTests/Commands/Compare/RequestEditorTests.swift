import Foundation
import NIOCore
import Store
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("A request in a person's editor", .timeLimit(.minutes(15)))
struct RequestEditorTests {
    @Test(
        "What would send a credential elsewhere is refused before an editor opens, with the option that lets it be sent",
        arguments: [
            (
                "/in;jsessionid=0123456789abcdef/x", "",
                "to another host; give --send-credentials, or another path"
            ),
            ("/in", #"{"password":"hunter2"}"#, "to another host; give --send-credentials, or another --body"),
        ]
    )
    func refuses(target: String, body: String, words: String) async throws {
        var sample = Sample(1, body.isEmpty ? "GET" : "POST", target, requestBody: Array(body.utf8))
        let type = body.isEmpty ? "" : "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        sample.exchange.request.head = ByteBuffer(
            string: "\(sample.exchange.method) \(target) HTTP/1.1\r\nHost: api.example.test\r\n\(type)\r\n"
        )
        let store = try ClosedStore()
        try await store.fill([sample])
        let reading = try TrafficStore(path: store.path, access: .reading)
        defer { try? reading.close() }
        var edits = ReplayEdits()
        edits.to = "https://b.test"
        let directory = try TemporaryDirectory()
        let opened = directory.file("opened")
        let environment = ["PATH": "/usr/bin:/bin", "EDITOR": "touch '\(opened)'; true"]
        do {
            _ = try await RequestEditor(reading, environment: environment).edited(1, edits)
            Issue.record("the request was taken")
        } catch let error as InputError {
            #expect(error.description.hasSuffix(words), "\(error)")
        }
        #expect(!FileManager.default.fileExists(atPath: opened))
        // The same editor is opened for what may be sent.
        edits.to = nil
        _ = try await RequestEditor(reading, environment: environment).edited(1, edits)
        #expect(FileManager.default.fileExists(atPath: opened))
    }
}
