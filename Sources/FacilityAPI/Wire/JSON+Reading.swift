import Foundation

extension JSON {
    /// Why bytes are not JSON, in a sentence for the client.
    struct ReadingError: Error {
        let reason: String
    }

    /// Reads a request's body; members come in no particular order.
    ///
    /// - Parameter bytes: at most what a request may carry (``IncomingRequest/bodyLimitBytes``).
    /// - Throws: ``ReadingError``.
    init(reading bytes: [UInt8]) throws {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
        } catch DecodingError.dataCorrupted(let context) {
            let underlying = (context.underlyingError as? NSError)?.userInfo["NSDebugDescription"] as? String
            throw ReadingError(reason: underlying ?? context.debugDescription)
        } catch {
            throw ReadingError(reason: "the body cannot be read")
        }
    }
}

extension JSON: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try container.allKeys.map {
                    Member(name: $0.stringValue, value: try container.decode(JSON.self, forKey: $0))
                }
            )
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [JSON] = []
            while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int.self) {
                self = .int(value)
            } else if let value = try? container.decode(Double.self) {
                self = .double(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }
}
