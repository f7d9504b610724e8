import Foundation
package import Traffic

/// A learner of an OpenAPI document from captures, one after the other.
///
/// The learner holds schemas and a few words, no bodies. What it learns is bounded, and the document leaves the rest open. The same captures in the
/// same order give the same document.
package struct OpenAPILearner {
    /// The most places in all schemas together.
    private static let roomLimit = 200_000
    /// The most segments of a path, and the most characters of a segment that stands in a document as it is.
    private static let (segmentLimit, characterLimit) = (40, 80)
    /// The most servers that are listed.
    private static let serverLimit = 50
    /// The methods that a document has a place for.
    private static let methods = Set(OpenAPIReader.methods.map { $0.uppercased() })

    /// The title of an API where none is given.
    package static let usualTitle = "Learnt from captures"

    private let mask: ExampleMask
    private var paths = LearntPath()
    private var servers: Set<String> = []
    private var room = OpenAPILearner.roomLimit
    /// The count of exchanges that were learnt from.
    package private(set) var count = 0
    /// The count of exchanges that no document has a place for: tunnels, WebSockets, unreadable requests, other methods.
    package private(set) var leftOutCount = 0

    package init() {
        // The placeholders are the same in every run and for every secret, so they tell nothing.
        mask = ExampleMask(redactor: Redactor { _ in [UInt8](repeating: 0, count: 16) })
    }

    /// Whether room ran out, so that parts of the document are left open.
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

    /// The document that was learnt.
    ///
    /// - Parameter title: the API's title.
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

    /// Makes a segment: open where the text is an identifier, too long to stand in a document, or a secret.
    private func segment(_ part: Substring) -> LearntPath.Segment {
        let text = String(part)
        if EndpointTree.isIdentifier(part) || text.utf8.count > OpenAPILearner.characterLimit { return .open(text) }
        let isSecret = text.utf8.count >= 16 && mask.redactor.masked(text) != text
        return isSecret ? .open(text) : .text(text)
    }

    private static func origin(_ exchange: Exchange, _ scheme: Scheme) -> String {
        "\(scheme.rawValue)://\(Endpoint(host: exchange.host, port: exchange.port).authority(of: scheme))"
    }
}
