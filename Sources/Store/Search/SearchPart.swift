import Traffic

/// A part of an exchange in which texts are looked for.
enum SearchPart: Int, CaseIterable {
    case url, requestHeader, responseHeader, requestBody, responseBody, message

    /// The texts of several parts, which a block keeps together.
    enum Section: Int, CaseIterable {
        case urls, lines, bodies, messages

        /// Its column in the table.
        var column: String { ["urls", "lines", "bodies", "messages"][rawValue] }
    }

    /// The section that holds its texts.
    var section: Section {
        switch self {
        case .url: .urls
        case .requestHeader, .responseHeader: .lines
        case .requestBody, .responseBody: .bodies
        case .message: .messages
        }
    }

    /// A side's field lines.
    static func header(_ side: MessageSide) -> SearchPart { side == .request ? .requestHeader : .responseHeader }

    /// A side's body.
    static func body(_ side: MessageSide) -> SearchPart { side == .request ? .requestBody : .responseBody }
}
