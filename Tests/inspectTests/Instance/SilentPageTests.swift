import Foundation
import NIOCore
import Store
import Support
import Testing

@testable import ProgramTests
@testable import inspect

/// Commands that ask something of a running proxy whose page is silent for as long as a large store takes.
@Suite(.timeLimit(.minutes(15))) struct SilentPageTests {
    /// A page that answers after so many seconds, as one does whose store is being compacted.
    private static let page = """
        import http.server, sys, time
        class Page(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(float(sys.argv[1]))
                body = b'{"before": 2000, "after": 1000, "logHeld": false}'
                self.send_response(200); self.send_header("Content-Type", "application/json"); self.send_header("Content-Length", str(len(body)))
                self.end_headers(); self.wfile.write(body)
            def log_message(self, *_): pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Page)
        print(f"page {server.server_port}", flush=True)
        server.serve_forever()
        """

    @Test("An answer that is long in coming is waited for")
    func short() async throws { try await Self.wait(seconds: 0.3) }

    @Test("An answer that stops after its head is given up at the limit")
    func stops() async throws {
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n".utf8)
        let page = try await LoopbackOrigin.start { .init(consuming: $0.count, .send(head)) }
        let instance = InstanceFile(
            pid: getpid(),
            proxy: "127.0.0.1:1",
            listeners: [],
            page: "http://127.0.0.1:\(page.port)",
            token: "secret",
            storePath: "/nowhere"
        )
        let client = InstanceClient(instance, within: .milliseconds(500))
        let problem = await #expect(throws: InputError.self) {
            try await client.get("instance", as: [String: String].self)
        }
        #expect(problem?.description.contains("does not answer at http://127.0.0.1:") == true)
    }

    /// Has a command wait so many seconds for its answer.
    static func wait(seconds: Double) async throws {
        let directory = try TemporaryDirectory()
        let path = RunningInspect.store(directory)
        let store = try TrafficStore(path: path, access: .writing)
        let page = try RunningProcess(try RealClientsTests.python(), ["-c", Self.page, "\(seconds)"])
        let port = try await page.line(containing: "page ").dropFirst(5)
        try InstanceFile(
            pid: getpid(),
            proxy: "127.0.0.1:1",
            listeners: [.init(mode: "explicit", address: "127.0.0.1:1")],
            page: "http://127.0.0.1:\(port)",
            token: "secret",
            storePath: path
        ).write()
        let command = ["store", "compact", "--store", path]
        let ran = try await RunningInspect.run(command, in: directory, within: .seconds(seconds + 60))
        #expect(ran.status == 0 && ran.output == "2 kB before, 1 kB after.\n", "\(ran)")
        try store.close()
    }
}
