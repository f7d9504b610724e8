import Foundation

/// The account that a request names.
enum Credentials: Sendable, Equatable {
    case anonymous
    /// The account that may write schedules.
    case editor
    /// An account that may only read.
    case reader
    case wrong

    /// Names and password of the accounts; they guard nothing but demonstration data.
    static let editorName = "editor"
    static let readerName = "reader"
    static let password = "patriot"

    /// Reads an `Authorization` field; a scheme other than Basic is passed over, as the framework does.
    init(authorization: String?) {
        let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "basic" else {
            self = .anonymous
            return
        }
        let decoded = parts.count > 1 ? Data(base64Encoded: String(parts[1])) : nil
        let text = decoded.map { String(decoding: $0, as: UTF8.self) } ?? ""
        let pair = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        self.init(name: String(pair.first ?? ""), password: pair.count > 1 ? String(pair[1]) : "")
    }

    /// The account of a name and password; never anonymous.
    init(name: String, password: String) {
        guard password == Self.password else {
            self = .wrong
            return
        }
        switch name {
        case Self.editorName: self = .editor
        case Self.readerName: self = .reader
        default: self = .wrong
        }
    }
}
