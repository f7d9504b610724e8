package import Traffic

/// The bodies of an exchange, measured before its entry is written and cut where the entry would be too long, and the room for its messages.
package struct EntryContents {
    /// Bytes that are kept for what comes behind the messages.
    private static let afterMessagesBytes: Int64 = 1024
    /// Bytes that are kept for what comes behind the words on how a WebSocket was closed.
    private static let endBytes: Int64 = 64

    /// The content of each message that is written; `nil` where an entry has none.
    package private(set) var request: BodyContent?
    package private(set) var response: BodyContent?
    /// Whether a request body that is no text is written a second time where other tools look for it.
    package private(set) var repeatsRequest: Bool
    /// Whether only what is beside bodies and messages is written, to measure it.
    package private(set) var isOutline = false
    /// What the entry may hold, counted as its writer counts; `nil` where it may hold anything.
    package var bounds: JSONBounds?

    private let id: ExchangeID

    /// Reads the bodies once.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - sides: the messages whose bodies the entry has.
    ///   - repeatsRequest: whether a request body that is no text is written a second time.
    ///   - source: the bodies' bytes.
    /// - Throws: what `source` throws.
    init(_ exchange: Exchange, sides: Set<MessageSide>, repeatsRequest: Bool, source: ArchiveSource) throws {
        id = exchange.id
        self.repeatsRequest = repeatsRequest
        func content(_ side: MessageSide, _ message: Message?) throws -> BodyContent? {
            guard let message, sides.contains(side) else { return nil }
            return try BodyContent(message.body, fields: message.fields) { try source(exchange.id, side, $0, $1) }
        }
        request = try content(.request, exchange.request)
        response = try content(.response, exchange.response)
    }

    package subscript(side: MessageSide) -> BodyContent? { side == .request ? request : response }

    /// Whether less of a body is written than what is kept.
    package var isCut: Bool { request?.isCut == true || response?.isCut == true }

    /// The bounds up to the last message; the rest of the entry comes after them.
    var messageBounds: JSONBounds? {
        bounds.map {
            JSONBounds(length: $0.length - EntryContents.afterMessagesBytes, text: $0.text, values: $0.values - 8)
        }
    }

    /// The bounds up to the end but for one number.
    var endBounds: JSONBounds? {
        bounds.map { JSONBounds(length: $0.length - EntryContents.endBytes, text: $0.text, values: $0.values - 1) }
    }

    /// Leading bytes of a message's body that are written, in whatever form, as bytes of the wire.
    func keptOnWire(_ side: MessageSide, of message: Message) -> Int64 {
        self[side]?.keptOnWire ?? message.body.keptOnWire
    }

    /// The most bytes that the bodies may have in the entry.
    var mostBytes: Int64 {
        (request?.mostJSONBytes ?? 0) * (isRepeated ? 2 : 1) + (response?.mostJSONBytes ?? 0)
    }

    /// The most bytes that the string of one body may have.
    var mostTextBytes: Int64 { max(request?.mostJSONBytes ?? 0, response?.mostJSONBytes ?? 0) }

    /// Whether the request's body is written a second time.
    var isRepeated: Bool {
        guard repeatsRequest, let request, !request.isCut else { return false }
        return request.form == .base64 && request.length <= HARRequest.repeatedLimitBytes
    }

    /// The same without anything of the bodies and messages, so that no byte of it is handed on.
    var outline: EntryContents {
        var outline = self
        outline.isOutline = true
        outline.request?.leaveOut()
        outline.response?.leaveOut()
        return outline
    }

    /// Cuts the bodies to what fits: of two bodies that are too long together, each may take what the other leaves, and at least half.
    ///
    /// - Parameters:
    ///   - room: bytes of both strings, without their quotes.
    ///   - text: bytes of one string, without the backslashes of escapes.
    ///   - source: the bodies' bytes.
    /// - Throws: what `source` throws.
    mutating func fit(_ room: Int64, text: Int64, _ source: ArchiveSource) throws {
        let sizes = try fit(request: room, response: room, text: text, source)
        if sizes.request * (isRepeated ? 2 : 1) + sizes.response <= room { return }
        repeatsRequest = false
        if sizes.request + sizes.response <= room { return }
        _ = try fit(
            request: max(room / 2, room - sizes.response),
            response: max(room / 2, room - sizes.request),
            text: text,
            source
        )
    }

    private mutating func fit(
        request: Int64,
        response: Int64,
        text: Int64,
        _ source: ArchiveSource
    ) throws -> (request: Int64, response: Int64) {
        let id = id
        let sizes = (
            request: try self.request?.fit(jsonBytes: request, textBytes: text) { try source(id, .request, $0, $1) },
            response: try self.response?.fit(jsonBytes: response, textBytes: text) { try source(id, .response, $0, $1) }
        )
        return (request: sizes.request ?? 0, response: sizes.response ?? 0)
    }
}
