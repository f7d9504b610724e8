/// Requests as a Swift program on Foundation's `URLSession`.
///
/// Foundation joins field lines of one name and sets some by itself, so the request means the same as the recorded one, but is not equal byte for
/// byte.
package struct SwiftScript: RequestScript {
    package init() {}

    package var beginning: String {
        """
        import Foundation

        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        """
    }

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        var text = "\n" + request.remarks.map { "// \($0)\n" }.joined()
        text += "do {\n    var request = URLRequest(url: URL(string: \(QuotedText.swift(request.url)))!)\n"
        text += "    request.httpMethod = \(QuotedText.swift(request.method))\n"
        for field in request.fields where !["host", "transfer-encoding"].contains(field.name.lowercased()) {
            text += "    request.addValue(\(QuotedText.swift(field.text)), "
            text += "forHTTPHeaderField: \(QuotedText.swift(field.name)))\n"
        }
        switch request.content {
        case .none: break
        case .text(let body): text += "    request.httpBody = Data(\(QuotedText.swift(body)).utf8)\n"
        case .bytes:
            try write(Array((text + "    request.httpBody = Data(\n        base64Encoded: \"\"\"\n").utf8))
            try base64Lines(of: request, to: write)
            text = "\"\"\",\n        options: .ignoreUnknownCharacters\n    )\n"
        }
        text += """
                let (data, response) = try await URLSession.shared.data(for: request)
                print((response as? HTTPURLResponse)?.statusCode ?? 0, String(decoding: data, as: UTF8.self))
            }

            """
        try write(Array(text.utf8))
    }
}
