import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite("Server-sent events read from a copy of the bytes", .timeLimit(.minutes(15)))
struct EventStreamReaderTests {
    /// An event in short: type, ID, data.
    struct Event: Equatable, CustomStringConvertible {
        var name: String?
        var id: String?
        var data: String
        var description: String { "\(name ?? "-")|\(id ?? "-")|\(data)" }
    }

    static func events(_ bytes: [UInt8], step: Int = .max, limits: MessageLimits = MessageLimits()) -> [StreamMessage] {
        var reader = EventStreamReader(limits: limits)
        var events: [StreamMessage] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            Array(rest.prefix(step)).withUnsafeBytes { reader.read($0, time: 9) { events.append($0) } }
            rest = rest.dropFirst(step)
        }
        return events
    }

    static let streams: [(stream: String, events: [Event])] = [
        // HTML §9.2.6's own examples.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [Event(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [Event(id: "1", data: "first event"), Event(data: "second event"), Event(data: " third event")]
        ),
        ("data\n\ndata\ndata\n\ndata:", [Event(data: ""), Event(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [Event(data: "test"), Event(data: "test")]),
        // Line ends of all three kinds, mixed.
        ("data:a\r\rdata:b\r\n\r\ndata:c\n\r\n", [Event(data: "a"), Event(data: "b"), Event(data: "c")]),
        ("event: add\rdata: 1\r\n\nevent:\ndata: 2\n\n", [Event(name: "add", data: "1"), Event(data: "2")]),
        // An ID stays until another comes; one with a NUL does not count.
        (
            "id: 7\ndata: a\n\ndata: b\n\nid: x\u{0}y\ndata: c\n\n",
            [Event(id: "7", data: "a"), Event(id: "7", data: "b"), Event(id: "7", data: "c")]
        ),
        // An event without data is not dispatched, and leaves no type behind.
        ("event: ping\n\ndata: a\n\n", [Event(data: "a")]),
        ("id: 3\n\ndata: a\n\n", [Event(id: "3", data: "a")]),
        // A byte order mark at the beginning only.
        ("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", [Event(data: "a")]),
        ("dataset: 1\nDATA: 2\n data: 3\nretry: 10\nretry: x\n:data: 4\ndata:ok:then\n\n", [Event(data: "ok:then")]),
        ("data: unfinished", []), ("data: unfinished\n", []), ("", []),
    ]

    @Test("Streams are read by the rules of HTML, however they are split", arguments: streams)
    func reads(stream: String, events: [Event]) {
        for step in [1, 2, 3, 5, Int.max] {
            let read = Self.events(Array(stream.utf8), step: step)
            #expect(
                read.map { Event(name: $0.eventName, id: $0.eventID, data: $0.text ?? "?") } == events,
                "step \(step)"
            )
        }
    }

    @Test("Size and wire size are those of the data and of the lines")
    func measures() {
        let read = Self.events(Array("id: 1\ndata: abc\ndata: d\n\ndata: x\n\n".utf8))
        #expect(read.map(\.size) == [5, 1])
        #expect(read.map(\.wireBytes) == [25, 9])
        #expect(read.allSatisfy { $0.side == .response && $0.kind == .event && $0.time == 9 })
    }

    @Test("Lines without an end cost no memory beyond what is kept")
    func bounds() {
        let limits = MessageLimits(keptBytes: 100, nameBytes: 10)
        let long = String(repeating: "x", count: 1_000_000)
        let stream = "event: \(long)\nid: \(long)\ndata: \(long)\ndata: \(long)\n\(long): \(long)\n\n"
        let read = Self.events(Array(stream.utf8), step: 10_000, limits: limits)
        #expect(read.map(\.size) == [2_000_001])
        #expect(read.first?.payload.readableBytes == 100 && read.first?.isTruncated == true)
        #expect(read.first?.eventName?.count == 10 && read.first?.eventID?.count == 10)
    }

    @Test("Random streams are read as a plain reading of the rules reads them")
    func random() {
        var random = SeededGenerator(seed: 92_006)
        let pieces = [
            "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "a", "é", "data: ", "\u{0}",
            "\u{FEFF}",
            "event:", "id:", ":x",
        ]
        for _ in 0..<3_000 {
            let stream = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            .joined()
            let step = Int.random(in: 1...9, using: &random)
            let read = Self.events(Array(stream.utf8), step: step).map {
                Event(name: $0.eventName, id: $0.eventID, data: $0.text ?? "?")
            }
            #expect(read == Self.plainReading(stream), "\(stream.debugDescription) in steps of \(step)")
        }
    }

    /// The rules of HTML §9.2.6 word for word, on a whole stream.
    private static func plainReading(_ stream: String) -> [Event] {
        var scalars = Array(stream.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [String] = []
        var line = String.UnicodeScalarView()
        var index = 0
        while index < scalars.count {
            if scalars[index] == "\r" || scalars[index] == "\n" {
                if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
                lines.append(String(line))
                line = String.UnicodeScalarView()
            } else {
                line.append(scalars[index])
            }
            index += 1
        }
        var events: [Event] = []
        var (data, name, id) = ("", "", "")
        for line in lines {
            if line.isEmpty {
                if !data.isEmpty {
                    data.unicodeScalars.removeLast()
                    events.append(Event(name: name.isEmpty ? nil : name, id: id.isEmpty ? nil : id, data: data))
                }
                (data, name) = ("", "")
                continue
            }
            let scalars = line.unicodeScalars
            let colon = scalars.firstIndex(of: ":") ?? scalars.endIndex
            var value = scalars[colon...].dropFirst()
            if value.first == " " { value = value.dropFirst() }
            switch String(scalars[..<colon]) {
            case "data": data += String(value) + "\n"
            case "event": name = String(value)
            case "id" where !value.contains("\u{0}"): id = String(value)
            default: break
            }
        }
        return events
    }
}
