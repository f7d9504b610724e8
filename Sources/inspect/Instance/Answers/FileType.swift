import Foundation

/// The media type of a file, by the end of its name.
enum FileType {
    private static let types = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "json": "application/json",
        "map": "application/json", "webmanifest": "application/manifest+json", "xml": "application/xml",
        "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8", "csv": "text/csv; charset=utf-8",
        "yaml": "application/yaml", "yml": "application/yaml", "svg": "image/svg+xml", "png": "image/png",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "avif": "image/avif",
        "ico": "image/vnd.microsoft.icon", "pdf": "application/pdf", "wasm": "application/wasm", "woff": "font/woff",
        "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf", "mp4": "video/mp4", "webm": "video/webm",
        "mp3": "audio/mpeg", "ogg": "audio/ogg", "wav": "audio/wav", "zip": "application/zip",
        "gz": "application/gzip",
    ]

    /// The type, `application/octet-stream` where the name tells none.
    static func of(_ path: String) -> String {
        types[URL(filePath: path).pathExtension.lowercased()] ?? "application/octet-stream"
    }
}
