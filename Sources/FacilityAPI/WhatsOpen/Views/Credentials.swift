import Foundation

/// Who a request says it is.
enum Credentials: Sendable, Equatable {
    case anonymous
    /// The one account the stand-in knows, which may write schedules.
    case editor
    case wrong

    /// Name and password of that account; it guards nothing but demonstration data.
    static let editorName = "editor"
    static let editorPassword = "patriot"

    /// Reads an `Authorization` field; another scheme than Basic is passed over, as the framework does.
    init(authorization: String?) {
        let parts = (authorization ?? "").split(separator: " ", maxSplits: 1)
        guard parts.first?.lowercased() == "basic" else {
            self = .anonymous
            return
        }
        let decoded = parts.count > 1 ? Data(base64Encoded: String(parts[1])) : nil
        let text = decoded.map { String(decoding: $0, as: UTF8.self) }
        self = text == "\(Self.editorName):\(Self.editorPassword)" ? .editor : .wrong
    }
}
