import Foundation
import NIOCore
import Traffic

/// Why no recording answers a request: the nearest one, and the parts in which it differs.
struct MissExplanation: Sendable {
    /// The status of a miss: no API answers it by chance, and clients take it for a fault of the server.
    static let code = 501

    /// A part of a request that differs: its value here and its recorded value, each `nil` where the part is missing.
    struct Difference: Sendable, Equatable {
        let part: String
        let here: String?
        let recorded: String?

        var sentence: String {
            switch (here, recorded) {
            case (let here?, let recorded?): "\(part): \(here) here, \(recorded) recorded"
            case (let here?, nil): "\(part): \(here) here, not recorded"
            case (nil, let recorded?): "\(part): \(recorded) recorded, not here"
            case (nil, nil): part
            }
        }
    }

    let request: MockRequest
    /// One sentence.
    let reason: String
    var nearest: Recording?
    var differences: [Difference] = []

    /// The same for a client of another machine: nothing of what was recorded.
    private var untold: MissExplanation {
        MissExplanation(request: request, reason: "Why not is told to programs of the mock's own machine, and there.")
    }

    /// The parts that differ, or `recording` where the recording itself is of no use: the value of `X-Inspect-Miss`.
    var parts: String {
        var parts: [String] = []
        for difference in differences where !parts.contains(difference.part) { parts.append(difference.part) }
        return parts.isEmpty ? "recording" : parts.joined(separator: ", ")
    }

    private static func name(_ recording: Recording) -> String { "\(recording.method) \(recording.url)" }

    /// The explanation in lines, for people.
    var lines: [String] {
        var lines = ["No recording answers \(request.shape.method) \(request.url).", reason]
        if let nearest {
            lines.append(
                "The nearest is exchange \(nearest.id): \(Self.name(nearest)) -> \(nearest.code.map(String.init) ?? "no response")"
            )
        }
        return lines + differences.map { "  \($0.sentence)" }
    }

    /// The explanation as one JSON object.
    var json: [UInt8] {
        JSONWriter.bytes { json in json.object(nil, write) }
    }

    private func write(to json: inout JSONWriter) {
        json.string("miss", reason)
        json.object("request") { json in
            json.string("method", request.shape.method)
            json.string("url", request.url)
        }
        if let nearest {
            json.object("nearest") { json in
                json.integer("id", nearest.id)
                json.string("request", Self.name(nearest))
                json.integer("code", nearest.code)
            }
        }
        json.array("differences") { json in
            for difference in differences {
                json.object { json in
                    json.string("part", difference.part)
                    json.string("here", difference.here)
                    json.string("recorded", difference.recorded)
                }
            }
        }
    }

    /// The head and the content of its answer: JSON for a client that asks for it, else text.
    ///
    /// A client of another machine is told nothing of what was recorded.
    var response: (head: ByteBuffer, body: [UInt8]) { request.isFromThisMachine ? told : untold.told }

    private var told: (head: ByteBuffer, body: [UInt8]) {
        let accepted = request.fields.values("accept").joined(separator: ",").lowercased()
        let isJSON = accepted.contains("json") && !accepted.contains("text/html")
        let body = isJSON ? json : Array((lines.joined(separator: "\n") + "\n").utf8)
        let head = ByteBuffer(
            string: """
                HTTP/1.1 \(Self.code) Not Recorded\r
                Content-Type: \(isJSON ? "application/json" : "text/plain; charset=utf-8")\r
                Content-Length: \(body.count)\r
                X-Inspect-Miss: \(parts)\r
                Proxy-Status: inspect-mock; error=destination_unavailable; details="not recorded"\r
                X-Content-Type-Options: nosniff\r
                Cache-Control: no-store\r
                \r

                """
        )
        return (head, body)
    }
}
