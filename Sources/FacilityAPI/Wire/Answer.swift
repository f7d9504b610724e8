import Foundation

/// A whole response: status, fields in the order they go out, and body.
struct Answer: Sendable {
    var status: Int
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    /// The value the body was written from, when it is JSON.
    private(set) var value: JSON?

    /// Makes a response of the given parts alone.
    init(_ status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A JSON response.
    static func json(_ status: Int, _ value: JSON, type: String = "application/json") -> Answer {
        var answer = Answer(status, headers: [("Content-Type", type)], body: value.compactBytes)
        answer.value = value
        return answer
    }

    /// A response of text, its type `text/html` unless told otherwise.
    static func text(_ status: Int, _ text: String, type: String = "text/html; charset=utf-8") -> Answer {
        Answer(status, headers: [("Content-Type", type)], body: Array(text.utf8))
    }

    /// The first value of a field.
    func header(_ name: String) -> String? {
        headers.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }?.value
    }

    /// The same response with another JSON value as its body.
    func replacing(_ value: JSON) -> Answer {
        var answer = self
        answer.value = value
        answer.body = value.compactBytes
        return answer
    }

    /// The same response with one more field.
    func adding(_ name: String, _ value: String) -> Answer {
        var answer = self
        answer.headers.append((name, value))
        return answer
    }
}

extension String {
    /// The text with the characters replaced that have a meaning in HTML.
    var htmlEscaped: String {
        let meant: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
        // By scalars: with an accent behind it each of them is another Character, and means the same.
        return unicodeScalars.map { meant[$0] ?? String($0) }.joined()
    }
}
