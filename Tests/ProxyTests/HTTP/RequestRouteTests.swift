import NIOCore
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct RequestRouteTests {
    private func head(_ method: String, _ target: String, _ lines: String = "Host: a.test\r\n") throws -> RequestHead {
        try HTTP1HeadParser.request(
            ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\n\(lines)\r\n"),
            limits: HeadLimits()
        )
    }

    @Test(
        "An absolute target names the upstream and leaves its path byte for byte",
        arguments: [
            ("http://a.test/", "http a.test:80 /"), ("http://a.test", "http a.test:80 /"),
            ("HTTP://A.Test:80/", "http a.test:80 /"),
            ("http://a.test?x=1&type=-1?", "http a.test:80 /?x=1&type=-1?"), ("http://a.test/?", "http a.test:80 /?"),
            ("http://a.test:8080/a//../b;c=+(),%7e?q#part", "http a.test:8080 /a//../b;c=+(),%7e?q"),
            ("http://a.test#x", "http a.test:80 /"), ("https://a.test/x", "https a.test:443 /x"),
            ("http://a.test:/x", "http a.test:80 /x"),
            ("http://[::1]:81/x", "http ::1:81 /x"), ("http://127.0.0.1/x", "http 127.0.0.1:80 /x"),
            ("ws://a.test/x", "ws a.test:80 /x"),
            ("http://a.test/http://b.test/", "http a.test:80 /http://b.test/"),
        ]
    )
    func absolute(target: String, expected: String) throws {
        let route = try RequestRoute(absolute: head("GET", target))
        let origin = String(buffer: route.originTarget ?? ByteBuffer())
        #expect("\(route.scheme.rawValue) \(route.endpoint.host):\(route.endpoint.port) \(origin)" == expected)
    }

    @Test("OPTIONS without a path asks the server itself")
    func options() throws {
        #expect(try RequestRoute(absolute: head("OPTIONS", "http://a.test")).originTarget == ByteBuffer(string: "*"))
        #expect(try RequestRoute(absolute: head("OPTIONS", "http://a.test/")).originTarget == ByteBuffer(string: "/"))
    }

    @Test(
        "A target that names no upstream is refused",
        arguments: [
            ("/", 400), ("*", 400), ("a.test", 400), ("http:/a.test/", 400), ("http:a.test", 400), ("http://", 400),
            ("http:///x", 400),
            ("http://u:p@a.test/", 400), ("http://a.test:0/", 400), ("http://a.test:65536/", 400),
            ("http://a.test:8o/", 400),
            ("http://[::1/", 400), ("http://[a.test]/", 400), ("http://a\\b/", 400), ("ftp://a.test/", 501),
            ("a.test:80", 400),
        ]
    )
    func refused(target: String, code: Int) throws {
        let head = try head("GET", target)
        let problem = #expect(throws: MessageProblem.self) { try RequestRoute(absolute: head) }
        #expect(problem?.code == code)
    }

    @Test(
        "The target wins over a Host that says otherwise",
        arguments: [
            ("http://a.test/", "Host: a.test\r\n", nil), ("http://a.test/", "Host: A.TEST:80\r\n", nil),
            ("http://a.test:80/", "Host: a.test\r\n", nil), ("http://a.test/", "Host: b.test\r\n", "a.test"),
            ("http://A.test:81/", "Host: a.test\r\n", "A.test:81"), ("http://a.test/", "", "a.test"),
            ("http://a.test/", "Host:\r\n", "a.test"),
        ]
    )
    func host(target: String, lines: String, sent: String?) throws {
        #expect(try RequestRoute(absolute: head("GET", target, lines)).host == sent)
    }

    @Test(
        "Host is there once and is a host",
        arguments: [
            ("Host: a\r\n", true), ("Host: [::1]:80\r\n", true), ("Host:\r\n", true), ("", false),
            ("Host: a\r\nHost: a\r\n", false),
            ("Host: a\r\nhost: b\r\n", false), ("Host: a b\r\n", false), ("Host: a/b\r\n", false),
            ("Host: u@a\r\n", false),
            ("Host: a:x\r\n", false), ("Host: a, b\r\n", false),
        ]
    )
    func checkHost(lines: String, isFine: Bool) throws {
        let head = try head("GET", "/", lines)
        let problem: MessageProblem?
        do throws(MessageProblem) {
            try RequestRoute.checkHost(head)
            problem = nil
        } catch { problem = error }
        #expect((problem == nil) == isFine)
        #expect(problem == nil || problem?.cause == .ambiguousHost)
    }

    @Test("Inside a tunnel the target is a path, or an asterisk for OPTIONS")
    func inside() throws {
        let endpoint = Endpoint(host: "a.test", port: 443)
        for (method, target, isFine) in [
            ("GET", "/", true), ("OPTIONS", "*", true), ("GET", "*", false), ("GET", "http://a.test/", false),
            ("CONNECT", "a.test:443", false),
        ] {
            let head = try head(method, target)
            let route = try? RequestRoute(origin: head, scheme: .https, endpoint: endpoint)
            #expect((route != nil) == isFine, "\(method) \(target)")
        }
    }
}
