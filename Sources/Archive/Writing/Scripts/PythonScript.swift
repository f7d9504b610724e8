import Traffic

/// Requests as a Python 3 program that needs nothing but the standard library, which sends field lines as they are given.
package struct PythonScript: RequestScript {
    package init() {}

    package var beginning: String {
        """
        import base64
        import http.client
        import sys

        """
    }

    package func write(_ request: SentRequest, isFirst: Bool, to write: ([UInt8]) throws -> Void) throws {
        var remarks = request.remarks
        if !isExact(request) { remarks.append("Its target has bytes that no URL may hold; they are escaped here.") }
        let target = isExact(request) ? String(decoding: request.target, as: UTF8.self) : request.escapedTarget
        var text = "\n" + remarks.map { "# \($0)\n" }.joined()
        let kind = request.scheme == .https ? "HTTPSConnection" : "HTTPConnection"
        text += "connection = http.client.\(kind)(\(QuotedText.python(request.host)), \(request.port))\n"
        text += "connection.putrequest(\(QuotedText.python(request.method)), \(QuotedText.python(target)), "
        text += "skip_host=True, skip_accept_encoding=True)\n"
        let isChunked = request.hasField("Transfer-Encoding")
        for field in request.fields {
            text += "connection.putheader(\(QuotedText.python(field.name)), \(literal(field.value)))\n"
        }
        switch request.content {
        case .none:
            text += "connection.endheaders()\n"
        case .text(let body):
            text += "body = \(QuotedText.python(body)).encode()\n"
        case .bytes:
            try write(Array((text + "body = base64.b64decode(\"\"\"\n").utf8))
            try base64Lines(of: request, to: write)
            text = "\"\"\")\n"
        }
        if case .none = request.content {
        } else if isChunked {
            text += "connection.endheaders([body], encode_chunked=True)\n"
        } else {
            text += "connection.putheader(\"Content-Length\", str(len(body)))\nconnection.endheaders(body)\n"
        }
        text += """
            response = connection.getresponse()
            print(response.status, response.reason, file=sys.stderr)
            sys.stdout.buffer.write(response.read())
            connection.close()

            """
        try write(Array(text.utf8))
    }

    /// Whether `http.client` takes the target: it takes visible ASCII only.
    private func isExact(_ request: SentRequest) -> Bool { request.target.allSatisfy { (0x21..<0x7F).contains($0) } }

    private func literal(_ value: [UInt8]) -> String {
        value.allSatisfy { (0x20..<0x7F).contains($0) } && !value.contains(UInt8(ascii: "\""))
            ? QuotedText.python(String(decoding: value, as: UTF8.self)) : QuotedText.python(bytes: value)
    }
}
