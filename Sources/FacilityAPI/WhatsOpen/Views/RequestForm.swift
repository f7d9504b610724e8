import Foundation

/// A reader of the bodies of writes, in the three forms that the API parses.
enum RequestForm {
    /// The body as an object, or the refusal that says why not.
    static func read(_ request: IncomingRequest) -> Result<JSON, Refused> {
        let type = request.header("Content-Type") ?? ""
        let media = type.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() } ?? ""
        if request.body.isEmpty { return .success(.object([])) }
        switch media {
        case "application/json":
            do {
                return .success(try JSON(reading: request.body))
            } catch {
                return .failure(Refused(answer: WhatsOpenErrors.detail(400, "JSON parse error - \(error.reason)")))
            }
        case "application/x-www-form-urlencoded":
            let query = Query(String(decoding: request.body, as: UTF8.self))
            return .success(.object(query.items.map { JSON.Member(name: $0.name, value: .string($0.value ?? "")) }))
        case "multipart/form-data":
            guard let boundary = parameter("boundary", of: type), !boundary.isEmpty else {
                let reason = "Multipart form parse error - Invalid boundary in multipart: None"
                return .failure(Refused(answer: WhatsOpenErrors.detail(400, reason)))
            }
            return .success(.object(parts(of: String(decoding: request.body, as: UTF8.self), boundary: boundary)))
        default:
            return .failure(Refused(answer: WhatsOpenErrors.unsupportedType(type)))
        }
    }

    /// A body that cannot be read, with the answer it gets.
    struct Refused: Error {
        let answer: Answer
    }

    /// The text fields of a multipart body; files have no place in a schedule and are read as text.
    private static func parts(of text: String, boundary: String) -> [JSON.Member] {
        text.components(separatedBy: "--" + boundary).dropFirst().compactMap { part in
            guard let end = part.range(of: "\r\n\r\n") else { return nil }
            let head = part[..<end.lowerBound].split(separator: "\r\n")
            let disposition = head.first { $0.lowercased().hasPrefix("content-disposition:") }
            guard let name = disposition.flatMap({ parameter("name", of: String($0)) }) else { return nil }
            let body = part[end.upperBound...]
            return JSON.Member(name: name, value: .string(String(body.hasSuffix("\r\n") ? body.dropLast() : body)))
        }
    }

    private static func parameter(_ name: String, of field: String) -> String? {
        field.split(separator: ";").dropFirst().lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .first { $0.lowercased().hasPrefix(name + "=") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: CharacterSet(charactersIn: "\"")) }
    }
}
