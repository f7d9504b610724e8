import Traffic

/// The bound on the values that lenses read of a body's JSON: two bytes of text may become a value of sixteen bytes or more.
package enum JSONBound {
    /// The most values, nested ones included; the same bound holds for an entry of an archive.
    package static let valuesLimit = 8_000_000

    /// Reads bytes that are one JSON text, leniently.
    ///
    /// - Throws: `JSONReader.Problem`, also for more values than the bound.
    static func value(_ bytes: [UInt8]) throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.value(bytes, valuesLimit: valuesLimit, isMeasured: true)
    }

    /// The values of those texts that are JSON, read leniently, as far as they stay within the bound together.
    static func values(_ texts: some Sequence<[UInt8]>) -> [JSONValue] {
        var left = valuesLimit
        return texts.compactMap { text in
            guard let value = try? JSONReader.value(text, valuesLimit: left, isMeasured: true) else { return nil }
            left -= value.valueCount
            return value
        }
    }

    /// The texts of a response: its body, the data of its events, or its parts.
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
    ///   - texts: gives the texts in the body; called only where they may have more values.
    /// - Returns: the body; an empty body that says why where it has more values.
    static func bounded(_ body: CapturedBody, limit: Int, texts: () -> [[UInt8]]) -> CapturedBody {
        // A value takes at least two bytes, with the character that separates it from the next.
        guard body.bytes.count / 2 >= limit else { return body }
        var left = limit
        for text in texts() {
            do { left -= try ExactJSON.count(text, limit: left) } catch {
                // A text that is no JSON is not counted: its reader stops where the text stops being JSON.
                guard case .unread = error else { continue }
                let problem = "It has more than \(limit) JSON values, so it is not read."
                return CapturedBody(bytes: [], charset: body.charset, problem: problem, isCut: true)
            }
        }
        return body
    }
}

extension CapturedBody {
    /// Reads the body as a JSON text, leniently; a byte order mark at its start is passed over.
    ///
    /// - Throws: a `JSONReader.Problem` that ends a sentence begun with "the body".
    func looseJSON() throws(JSONReader.Problem) -> JSONValue { try JSONBound.value(jsonBytes) }

    /// Reads the body as `looseJSON` does, to show it: numbers whose digits a Double may change are texts, marked as `ExactNumbers` does.
    ///
    /// - Parameter isMarked: which numbers are marked, by their digits.
    /// - Returns: the value.
    /// - Throws: what `looseJSON` throws.
    func shownJSON(
        marking isMarked: (ArraySlice<UInt8>) -> Bool = ExactNumbers.isLong
    ) throws(JSONReader.Problem) -> JSONValue {
        let bytes = jsonBytes
        do throws(JSONReader.Problem) {
            return try JSONBound.value(ExactNumbers.marked(bytes, where: isMarked))
        } catch {
            // The places in an error are those of the body's own bytes.
            return try JSONBound.value(bytes)
        }
    }
}

extension JSONValue {
    /// The count of the value and of all values in it.
    fileprivate var valueCount: Int {
        switch self {
        case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
        case .object(let members): members.reduce(1) { $0 + $1.value.valueCount }
        default: 1
        }
    }
}
