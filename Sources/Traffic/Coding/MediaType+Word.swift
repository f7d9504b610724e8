extension MediaType {
    /// Kinds whose name says more than their subtypes do.
    private static let namedKinds: [MediaKind] = [.json, .html, .css, .js, .form, .font, .pdf, .wasm, .grpc, .sse]

    /// The type in a short word: `json`, `png`, `text`, `csv`, and `bin` for bytes of any kind; most have at most five letters.
    package var word: String {
        if let kind = Self.namedKinds.first(where: { $0.contains(essence) }) { return kind.rawValue }
        switch essence {
        case "text/plain": return "text"
        case "application/octet-stream": return "bin"
        default: break
        }
        // `image/svg+xml`, `application/vnd.ms-excel`, `application/x-tar`.
        let name = subtype.prefix { $0 != "+" }.split(separator: ".").last.map(String.init) ?? String(type)
        return name.hasPrefix("x-") ? String(name.dropFirst(2)) : name
    }
}
