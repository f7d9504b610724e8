/// Requests as a JavaScript module on `fetch`, for a browser's console, a page or Node.
///
/// Fields that `fetch` sets by itself (Host, Connection, framing) are left to it; a browser refuses to set some others.
package struct JavaScriptModule: RequestScript {
    /// The fields by which `fetch` frames a message, or which it refuses to take (Fetch §2.2.2).
    private static let own: Set = [
        "host", "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "trailer",
        "expect",
    ]

    package init() {}

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        var remarks = request.remarks
        let isBodiless = ["GET", "HEAD"].contains(request.method.uppercased())
        if isBodiless, case .bytes = request.content {
            remarks.append("Its body is left out: fetch has none with GET.")
        }
        if ["TRACE", "TRACK"].contains(request.method.uppercased()) { remarks.append("fetch refuses this method.") }
        var text = (isFirst ? "" : "\n") + remarks.map { "// \($0)\n" }.joined()
        text += "{\n  const response = await fetch(\(QuotedText.javaScript(request.url)), {\n"
        text += "    method: \(QuotedText.javaScript(request.method)),\n    redirect: \"manual\",\n    headers: [\n"
        for field in request.fields where !JavaScriptModule.own.contains(field.name.lowercased()) {
            // A field's value is a byte string there: one character for each byte.
            let value = String(String.UnicodeScalarView(field.value.map { Unicode.Scalar($0) }))
            text += "      [\(QuotedText.javaScript(field.name)), \(QuotedText.javaScript(value))],\n"
        }
        text += "    ],\n"
        switch request.content {
        case .text(let body) where !isBodiless: text += "    body: \(bytes(body)),\n"
        case .bytes where !isBodiless:
            try write(Array((text + "    body: Uint8Array.from(atob(`\n").utf8))
            try base64Lines(of: request, to: write)
            text = "`), (character) => character.charCodeAt(0)),\n"
        default: break
        }
        text += "  });\n  console.log(response.status, await response.text());\n}\n"
        try write(Array(text.utf8))
    }

    /// A text as bytes: for a string, `fetch` would add a Content-Type.
    private func bytes(_ body: String) -> String { "new TextEncoder().encode(\(QuotedText.javaScript(body)))" }
}
