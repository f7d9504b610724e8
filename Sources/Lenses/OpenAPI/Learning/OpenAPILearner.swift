import Foundation
import Traffic

/// Learns an OpenAPI document from captures, one after the other.
///
/// It holds schemas and a few words, no bodies; how much it learns is bounded, and what is beyond is left open in the document. The same captures in the
/// same order give the same document.
package struct OpenAPILearner {
    /// Places in schemas that are learnt together.
    private static let roomLimit = 200_000
    /// Paths' segments, and characters of one that stands in a document as it is.
    private static let (segmentLimit, characterLimit) = (40, 80)
    /// Servers that are listed.
    private static let serverLimit = 50
    /// Methods that a document has a place for.
    private static let methods = Set(OpenAPIReader.methods.map { $0.uppercased() })

    /// What a document calls an API that nobody gives a title.
    package static let usualTitle = "Learnt from captures"

    private let mask: ExampleMask
    private var paths = LearntPath()
    private var servers: Set<String> = []
    private var room = OpenAPILearner.roomLimit
    /// Exchanges that were learnt from.
    package private(set) var count = 0
    /// Exchanges that no document has a place for: tunnels, WebSockets, unreadable requests, other methods.
    package private(set) var leftOutCount = 0

    package init() {
        // Placeholders that are the same in every run; they tell nothing, since all secrets have the same, under the kind of the first.
        mask = ExampleMask(redactor: Redactor { _ in [UInt8](repeating: 0, count: 16) })
    }

    /// Whether there was no room for all that came: parts of the document are left open.
    package var isFull: Bool { room == 0 }

    /// Learns from one capture.
    package mutating func add(_ capture: Capture) {
        let exchange = capture.exchange
        let parts = PathTemplate.parts(capture.path)
        guard let scheme = exchange.scheme, scheme == .http || scheme == .https, exchange.target.hasPrefix("/"),
            OpenAPILearner.methods.contains(exchange.method), parts.count <= OpenAPILearner.segmentLimit
        else {
            leftOutCount += 1
            return
        }
        count += 1
        if servers.count < OpenAPILearner.serverLimit { servers.insert(OpenAPILearner.origin(exchange, scheme)) }
        // `/` has no segments; `/a/` has an empty one at its end.
        let segments = parts.count == 1 && parts[0].isEmpty ? [] : parts.map(segment)
        let mask = mask
        paths.add(exchange.method, segments[...], room: &room) { operation, room in
            operation.add(capture, mask, room: &room)
        }
    }

    /// The document.
    ///
    /// - Parameter title: what it calls the API.
    /// - Returns: an OpenAPI 3.1 document.
    package func document(title: String) -> JSONValue {
        var items: [(name: String, value: JSONValue)] = []
        paths.each(mask: mask) { items.append((name: $0, value: $1)) }
        var document: [(name: String, value: JSONValue)] = [
            ("openapi", .string("3.1.0")),
            ("info", .object([("title", .string(title)), ("version", .string("0"))])),
        ]
        if !servers.isEmpty {
            document.append(("servers", .array(servers.sorted().map { .object([("url", .string($0))]) })))
        }
        document.append(("paths", .object(items)))
        return .object(document)
    }

    /// What a segment is: open where it is an identifier, too long to stand in a document, or a secret.
    private func segment(_ part: Substring) -> LearntPath.Segment {
        let text = String(part)
        if EndpointTree.isIdentifier(part) || text.utf8.count > OpenAPILearner.characterLimit { return .open(text) }
        let isSecret = text.utf8.count >= 16 && mask.redactor.masked(text) != text
        return isSecret ? .open(text) : .text(text)
    }

    private static func origin(_ exchange: Exchange, _ scheme: Scheme) -> String {
        let host = Endpoint.bracketed(exchange.host)
        return exchange.port == scheme.defaultPort
            ? "\(scheme.rawValue)://\(host)" : "\(scheme.rawValue)://\(host):\(exchange.port)"
    }
}
