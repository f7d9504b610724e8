import Traffic

/// How many values lenses read of the JSON of a body: two bytes of text may become a value of sixteen bytes and more.
package enum JSONBound {
    /// The most values, nested ones included: as many as of an entry of an archive.
    package static let valuesLimit = 8_000_000

    /// The one text that some bytes are, read leniently.
    ///
    /// - Throws: a `Problem` as `JSONReader` does, for more values too.
    static func value(_ bytes: [UInt8]) throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.value(bytes, valuesLimit: valuesLimit)
    }

    /// Those of some texts that are JSON, read leniently, as far as they are no more values together.
    static func values(_ texts: some Sequence<[UInt8]>) -> [JSONValue] {
        var left = valuesLimit
        return texts.compactMap { text in
            guard let value = try? JSONReader.value(text, valuesLimit: left) else { return nil }
            left -= value.valueCount
            return value
        }
    }

    /// The texts of a response: its own, the data of its events, or its parts.
    static func texts(_ capture: Capture) -> [[UInt8]] {
        switch capture.exchange.mediaType {
        case EventStream.type?: EventStream.data(capture.response.bytes)
        case "multipart/mixed"?: MultipartBody.mixed(capture)?.map { Array($0.bytes) } ?? []
        default: [capture.response.jsonBytes]
        }
    }

    /// Holds a body to a limit.
    ///
    /// - Parameters:
    ///   - body: the body.
    ///   - limit: the most values of its JSON.
    ///   - texts: the texts in it; asked for only where they may have more.
    /// - Returns: the body; nothing of it where there are more, and why.
    static func bounded(_ body: CapturedBody, limit: Int, texts: () -> [[UInt8]]) -> CapturedBody {
        // A value has two bytes with what parts it from the next.
        guard body.bytes.count / 2 >= limit else { return body }
        var left = limit
        for text in texts() {
            do { left -= try ExactJSON.count(text, limit: left) } catch {
                // What is no JSON is not counted: whoever reads it ends where it is none.
                guard case .unread = error else { continue }
                let problem = "It has more than \(limit) JSON values, so it is not read."
                return CapturedBody(bytes: [], charset: body.charset, problem: problem, isCut: true)
            }
        }
        return body
    }
}

extension CapturedBody {
    /// It as a JSON text, read leniently; a byte order mark before it is passed over.
    ///
    /// - Throws: a `JSONReader.Problem` that ends a sentence begun with "the body".
    func looseJSON() throws(JSONReader.Problem) -> JSONValue { try JSONBound.value(jsonBytes) }
}

extension JSONValue {
    /// It and the values in it.
    fileprivate var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}
