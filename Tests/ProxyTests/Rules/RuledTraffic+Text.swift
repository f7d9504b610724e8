import Support
import Testing

@testable import Proxy
@testable import Traffic

/// Rules as a file has them, and bodies in codings.
extension RuledTraffic {
    /// The rules of a file, written as JSON.
    static func rules(_ text: String) throws -> [Rule] {
        let value = try #require(try? JSONReader.value(Array(text.utf8)))
        var reader = RuleReader(path: "rules.yaml", directory: "/") { path, _ throws(RuleFault) in
            throw RuleFault("there is no \(path)")
        }
        let rules = reader.list(RuleTree(json: value))
        #expect(reader.problems.isEmpty, "\(reader.problems)")
        return rules
    }

    /// Runs a proxy with the rules of a file beside an origin that answers in bytes.
    ///
    /// - Parameters:
    ///   - rules: the rules, as JSON.
    ///   - script: the origin's.
    ///   - configure: what else is set.
    ///   - body: the test; it gets the proxy, the origin, and the authority by which that is asked.
    /// - Throws: what the test throws.
    static func play(
        _ rules: String,
        _ script: @escaping LoopbackOrigin.Script,
        configure: (inout ProxyConfiguration) -> Void = { _ in },
        _ body: (RunningProxy, LoopbackOrigin, String) async throws -> Void
    ) async throws {
        let rules = RuleList(try self.rules(rules), now: 0)
        let origin = try await LoopbackOrigin.start(script: script)
        try await RunningProxy.run(configure: {
            $0.rules = rules
            configure(&$0)
        }) { proxy in
            try await body(proxy, origin, "127.0.0.1:\(origin.port)")
            try await keeps(0, proxy)
        }
    }

    /// A body in a coding; `identity` for none.
    static func coded(_ text: String, _ coding: String) throws -> [UInt8] {
        guard coding != "identity" else { return Array(text.utf8) }
        return try #require(ContentEncoder.encode(Array(text.utf8), names: [coding]))
    }

    /// The text of a body in a coding.
    static func text(_ body: [UInt8], _ coding: String) -> String {
        guard coding != "identity" else { return String(decoding: body, as: UTF8.self) }
        let decoder = ContentDecoder(names: [coding], limitBytes: 1 << 24)
        var text: [UInt8] = []
        decoder.write(body) { text += $0 }
        decoder.finish { text += $0 }
        #expect(decoder.problem == nil && !decoder.leavesCodings)
        return String(decoding: text, as: UTF8.self)
    }

    /// A message's head and its body.
    static func message(_ start: String, _ fields: String..., body: [UInt8]) -> [UInt8] {
        let lines = [start] + fields.filter { !$0.isEmpty } + ["Content-Length: \(body.count)", "X-Last: 1"]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
    }

    /// A request to an origin, by way of the proxy.
    static func request(_ authority: String, _ path: String, method: String = "GET") -> String {
        "\(method) http://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }
}
