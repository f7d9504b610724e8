/// A family of media types with a short name: what people write after `type:`.
package enum MediaKind: String, Hashable, Sendable, CaseIterable {
    case json, xml, html, css, js, text, image, font, audio, video, form, pdf, wasm, grpc, sse

    /// Whether a media type without parameters belongs to it.
    package func contains(_ essence: String) -> Bool {
        guard let type = MediaType(essence) else { return false }
        return switch self {
        case .json: type.isJSON
        case .xml: type.isXML
        case .html: type.essence == "text/html" || type.essence == "application/xhtml+xml"
        case .css: type.essence == "text/css"
        case .js: type.subtype.hasSuffix("javascript") || type.subtype == "ecmascript"
        case .text: type.type == "text"
        case .image: type.isImage
        case .font: type.type == "font" || type.subtype.hasPrefix("font-") || type.subtype.hasPrefix("x-font-")
        case .audio: type.type == "audio"
        case .video: type.type == "video"
        case .form: type.essence == "application/x-www-form-urlencoded" || type.essence == "multipart/form-data"
        case .pdf: type.essence == "application/pdf"
        case .wasm: type.essence == "application/wasm"
        case .grpc: type.subtype.hasPrefix("grpc")
        case .sse: type.essence == "text/event-stream"
        }
    }
}
