import Crypto
import NIOCore
import Traffic

/// A request with what shells, languages and clients stumble over, to be recorded, exported and sent again.
struct OddRequest {
    var method = "GET"
    var target = "/"
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// Requests whose every byte has to arrive, by whichever client sends field lines as they are given.
    static let exact: [OddRequest] = [
        OddRequest(target: "/plain?query&type=-1&ids=(99,10),(1)+x&[a]={b}&q=%22", fields: [("X-Case", "Kept")]),
        OddRequest(
            method: "POST",
            target: "/a/../b//c?x='$HOME'`id`;echo&!",
            fields: [
                ("X-Quote", #"it's "quoted" \ and \" $HOME `id` $(id) !x %s \n"#), ("X-Dash", "-d @/etc/passwd"),
                ("X-At", "@/etc/passwd"), ("-o.profile", "kept"), ("X-Twice", "1"), ("X-Twice", "2"),
                ("X-Equals", "=a:=b;c"),
                ("Content-Type", "text/plain; charset=\"utf-8\""), ("User-Agent", "it's me/1.0"), ("X-Tab", "a\tb"),
            ],
            body: Array("@file\n'quoted' \"twice\"\\ $HOME `id` !!\r\nlast é 干 \u{202E}line\n\n".utf8)
        ),
        OddRequest(
            method: "PUT",
            target: "/binary",
            fields: [("Accept", "*/*")],
            body: Array(0...255) + Array(0...255)
        ),
        OddRequest(method: "-X", target: "/dash", fields: [("Content-Type", "a/b")], body: Array("-d".utf8)),
        OddRequest(
            method: "PATCH",
            target: "/long",
            fields: [("Content-Type", "application/octet-stream")],
            body: Array(String(repeating: "0123456789", count: 30_000).utf8)
        ),
        OddRequest(method: "DELETE", target: "/nothing?"),
        OddRequest(
            method: "POST",
            target: "/form",
            fields: [("Cookie", "a=1; b=\"2\"")],
            body: Array("a=1&b=%40".utf8)
        ),
    ]

    /// What is recorded of it.
    func sample(_ token: CaptureToken, port: Int) -> Sample {
        var sample = Sample(token, method, target, scheme: .http, host: "127.0.0.1", requestBody: body)
        sample.exchange.port = port
        sample.exchange.request.head = ByteBuffer(string: head(port: port))
        return sample
    }

    /// What has to arrive: the first line, and the field lines in an order of their own, the framing aside.
    func expected(port: Int) -> [String] { OddRequest.lines(Array(head(port: port).utf8)) }

    /// The same of a request that arrived.
    static func lines(_ head: [UInt8]) -> [String] {
        let lines = head.split(separator: UInt8(ascii: "\n")).map {
            String(decoding: $0.filter { $0 != 13 }, as: UTF8.self)
        }
        let rest = lines.dropFirst().filter { !$0.isEmpty && !$0.lowercased().hasPrefix("content-length:") }
        return lines.prefix(1) + rest.sorted()
    }

    private func head(port: Int) -> String {
        let length = body.isEmpty ? [] : [("Content-Length", "\(body.count)")]
        let lines = ([("Host", "127.0.0.1:\(port)")] + fields + length).map { "\($0.0): \($0.1)\r\n" }.joined()
        return "\(method) \(target) HTTP/1.1\r\n\(lines)\r\n"
    }
}
