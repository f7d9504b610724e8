import Foundation
import Support

/// The page of a demonstration that has ended its play and stays up, for the length of a closure.
struct DemoPage: Sendable {
    /// `http://127.0.0.1:` and its port, without a slash at the end.
    let origin: String
    let token: String

    /// Runs `inspect demo` on a store of its own and hands over its page.
    ///
    /// - Throws: what the closure throws; when the demonstration does not start.
    static func with<Value: Sendable>(_ body: @escaping @Sendable (DemoPage) async throws -> Value) async throws
        -> Value
    {
        let home = try TemporaryDirectory()
        let demo = try RunningProcess(
            try Executable.inspect(),
            ["demo", "--store", home.file("captures.db"), "--ca-directory", home.file("ca")]
        )
        let line = try await demo.line(containing: "See it in the browser:", within: .seconds(60))
        guard let address = line.split(separator: " ").last.flatMap({ URLComponents(string: String($0)) }),
            let host = address.host, let port = address.port,
            let token = address.queryItems?.first(where: { $0.name == "token" })?.value
        else {
            throw Browser.Failure("no address in: \(line)")
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(DemoPage(origin: "http://\(host):\(port)", token: token)))
        } catch { result = .failure(error) }
        _ = try await demo.stop()
        return try result.get()
    }

    /// An address of the page that carries its token.
    ///
    /// - Parameter place: path, query and fragment, such as `/exchanges/8?code=200#response`.
    /// - Returns: the whole URL.
    func address(_ place: String) -> String {
        let parts = place.split(separator: "#", maxSplits: 1).map(String.init)
        let mark = parts[0].contains("?") ? "&" : "?"
        return origin + parts[0] + mark + "token=" + token + (parts.count > 1 ? "#" + parts[1] : "")
    }
}
