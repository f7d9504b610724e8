import Traffic

/// The common form of the bodies of one message, by media type.
struct LearntContent: Sendable {
    /// The most media types that are kept apart.
    private static let limit = 20

    private(set) var bodies: [String: LearntBody] = [:]
    /// The count of messages that had a body.
    private(set) var count = 0

    /// Adds the body of a message, if it has one.
    mutating func add(_ message: Message, _ body: CapturedBody, _ mask: ExampleMask, room: inout Int) {
        guard message.body.length > 0 else { return }
        count += 1
        let type = MediaType(message.fields.first("Content-Type"))
        let name = type.map { LearntContent.isName($0.essence) ? $0.essence : "*/*" } ?? "application/octet-stream"
        guard bodies[name] != nil || bodies.count < LearntContent.limit else {
            bodies["*/*", default: LearntBody()].add(body, of: nil, mask, room: &room)
            return
        }
        let isKept = !(body.isEmpty && message.body.kept == 0)
        bodies[name, default: LearntBody()].add(body, of: isKept && name != "*/*" ? type : nil, mask, room: &room)
    }

    mutating func join(_ other: LearntContent) {
        count += other.count
        for (name, body) in other.bodies.sorted(by: { $0.key < $1.key }) {
            let isRoom = bodies[name] != nil || bodies.count < LearntContent.limit
            bodies[isRoom ? name : "*/*", default: LearntBody()].join(body)
        }
    }

    /// The bodies as a content object; `nil` where no message had a body.
    func document(_ mask: ExampleMask) -> JSONValue? {
        guard !bodies.isEmpty else { return nil }
        return .object(bodies.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value.document(mask)) })
    }

    /// Whether a document may have a media type as a key.
    private static func isName(_ essence: String) -> Bool {
        essence.split(separator: "/", omittingEmptySubsequences: false).count == 2
            && essence.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"(),:;<=>?@[\\]{}*".utf8.contains($0) }
    }
}
