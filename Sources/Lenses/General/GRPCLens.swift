package import Traffic

/// The lens of gRPC calls: messages with a length before each, and a status in the trailers.
package struct GRPCLens: Lens {
    package let name = "grpc"
    package let title = "gRPC"

    package init() {}

    package var grounds: LensGrounds { .heads }

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .heads = evidence else { return false }
        return exchange.requestType?.hasPrefix("application/grpc") == true
    }

    package func view(_ capture: Capture) -> LensView {
        let steps = QueryString.steps(capture.path)
        let method = steps.last.map(String.init) ?? "?"
        let service = steps.dropLast().joined(separator: "/")
        let type = MediaType(capture.requestField("Content-Type"))?.essence
        let requests = GRPCFrames(capture.request.bytes, type: type)
        let responses = GRPCFrames(capture.response.bytes, type: capture.exchange.mediaType)
        let sent = requests.count.counted("message")
        var view = LensView(of: self, request: "\(method) of \(service), \(sent)")
        view.sections.append(
            LensSection(
                "Call",
                .fields([LensField("service", service), LensField("method", method)] + metadata(capture))
            )
        )
        let isAnswered = GRPCLens.isAnswer(capture)
        if let code = capture.exchange.code, !isAnswered {
            // An answer that is no gRPC says by its HTTP status alone how the call ended (gRPC over HTTP/2, "Responses").
            view.response = "\(code), \(capture.exchange.mediaType ?? "no media type"): no answer of gRPC"
            if code == 200 { view.failure = "The answer says 200, but it is none of gRPC." }
        } else if let code = capture.exchange.code {
            let status = GRPCStatus(capture, web: responses)
            view.response = "\(responses.count.counted("message")), \(status?.words ?? "no status")"
            if code == 200, let status, !status.isOK {
                view.failure = "The answer says 200, but the call ended with \(status.words)."
            }
            if code == 200, status == nil, capture.exchange.outcome != .pending {
                view.failure = "The answer says 200, but the call has no grpc-status: it was broken off."
            }
        }
        let sides = [
            ("Request", requests, capture.requestField("grpc-encoding")),
            ("Response", responses, capture.responseField("grpc-encoding")),
        ]
        for (side, frames, encoding) in sides where isAnswered || side == "Request" {
            add(side, frames, encoding, &view)
        }
        return view
    }

    /// Whether a response is gRPC's, judged by its media type or by a status in its head.
    private static func isAnswer(_ capture: Capture) -> Bool {
        capture.exchange.mediaType?.hasPrefix("application/grpc") == true
            || capture.responseField("grpc-status") != nil
    }

    private func metadata(_ capture: Capture) -> [LensField] {
        var fields: [LensField] = []
        if let timeout = capture.requestField("grpc-timeout") { fields.append(LensField("timeout", timeout)) }
        if let encoding = capture.requestField("grpc-encoding") {
            fields.append(LensField("request compression", encoding))
        }
        if let encoding = capture.responseField("grpc-encoding") {
            fields.append(LensField("response compression", encoding))
        }
        return fields
    }

    private func add(_ side: String, _ frames: GRPCFrames, _ encoding: String?, _ view: inout LensView) {
        guard frames.count > 0 || frames.rest > 0 else { return }
        var leftBytes = GRPCFrames.decodedLimitBytes
        let nodes = frames.frames.enumerated().map { index, frame in
            let payload = GRPCFrames.payload(frame, encoding: encoding, leftBytes: &leftBytes)
            let fields = payload.flatMap(ProtobufFields.nodes)
            var words = "\(frame.length) bytes"
            if frame.isCompressed { words += payload.map { ", \($0.count) decompressed" } ?? ", compressed" }
            if frame.bytes.count < frame.length { words += ", \(frame.bytes.count) of them there" }
            if frame.isOdd { words += ", flags 0x\(String(frame.flags, radix: 16)), which no message has" }
            if fields == nil { words += ", no fields that can be read" }
            return LensNode(LensText("message \(index + 1)"), detail: LensText(words, .faint), children: fields ?? [])
        }
        var tree = Array(nodes)
        if frames.count > tree.count {
            tree.append(LensNode(LensText("… \(frames.count - tree.count) more", .faint)))
        }
        if frames.rest > 0 { tree.append(LensNode(LensText("\(frames.rest) bytes that are no message", .warning))) }
        view.sections.append(LensSection("\(side) messages, by field number", .tree(tree)))
    }
}
