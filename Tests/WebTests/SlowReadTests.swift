import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import Store
import Support
import Testing
import Traffic

@testable import Web

@Suite("A read of the store ends with who asked for it", .timeLimit(.minutes(15)))
struct SlowReadTests {
    private struct Life: Sendable {
        var isBegun = false
        var isGivenUp = false
        /// Whether the client has closed its own side.
        var isHalfClosed = false
    }

    /// Lasts for a time, or until nobody waits for it.
    private static func read(for time: Duration, of life: Watched<Life>) throws {
        let end = ContinuousClock.now + time
        if time > .seconds(1) { life.update { $0.isBegun = true } }
        while ContinuousClock.now < end {
            if Task.isCancelled {
                life.update { $0.isGivenUp = true }
                throw CancellationError()
            }
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        }
    }

    /// Writes no bytes for as long as that is taken, as an export does that looks for secrets before it writes; at most a minute, stretched.
    private static func writeNothing(of life: Watched<Life>, to write: ([UInt8]) throws -> Void) throws {
        life.update { $0.isBegun = true }
        let end = ContinuousClock.now + Patience.stretched(.seconds(60))
        do {
            while ContinuousClock.now < end {
                try write([])
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
            }
        } catch {
            life.update { $0.isGivenUp = true }
            throw error
        }
    }

    /// Writes no bytes until a client has closed its own side and had its time to be seen doing so, and then the last; after a minute, stretched, anyway.
    private static func writeLast(of life: Watched<Life>, to write: ([UInt8]) throws -> Void) throws {
        life.update { $0.isBegun = true }
        let end = ContinuousClock.now + Patience.stretched(.seconds(60))
        var looks = 100
        while looks > 0, ContinuousClock.now < end {
            do { try write([]) } catch {
                life.update { $0.isGivenUp = true }
                throw error
            }
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
            if life.value.isHalfClosed { looks -= 1 }
        }
        try write(Array("last".utf8))
    }

    /// Writes without an end, until the asker has left.
    private static func flood(_ life: Watched<Life>, _ write: ([UInt8]) throws -> Void) throws {
        do { while true { try write([UInt8](repeating: 0x61, count: 64 << 10)) } } catch {
            life.update { $0.isGivenUp = true }
            throw error
        }
    }

    /// Serves a read that lasts for ever at `/endless`, as a place of the page at `/place.json` and as a file at `/file`, a file that begins late at
    /// `/silent`, files that end after their client has closed its own side at `/late` and, after a beginning, at `/begun`, a read that does so at `/told`, a
    /// read of a second at `/slow`, one that fails late at `/failing`, and one that is done at once at `/quick`; files without an end at `/flood` and, of an
    /// asker that has to take them, at `/hasty`; and the events of the store.
    ///
    /// The end of what a client sends means nothing at `/late`, `/told` and the events, and at `/brief`, which tells the same, only for a moment; elsewhere
    /// no time has to pass before it is a leave.
    private func serve(_ body: @escaping @Sendable (_ port: Int, _ endless: Watched<Life>) async throws -> Void)
        async throws
    {
        let directory = try TemporaryDirectory()
        let store = try TrafficStore(path: directory.file("captures.db"), access: .writing)
        let door = StoreDoor(store, halfCloseTime: .zero)
        let patientDoor = StoreDoor(store, halfCloseTime: .seconds(3_600), waitTime: .seconds(3_600))
        let briefDoor = StoreDoor(store, halfCloseTime: .seconds(3_600), waitTime: .milliseconds(1))
        let hastyDoor = StoreDoor(store, stallTime: .milliseconds(50))
        let endless = Watched(Life())
        let router = Router(context: WebContext.self)
        let times: [(String, Duration)] = [
            ("endless", .seconds(100_000)), ("slow", .seconds(1)), ("failing", .milliseconds(500)), ("quick", .zero),
        ]
        router.add(middleware: SafeAnswers(known: KnownPaths(router), logger: Logger(label: "page")))
        for (name, time) in times {
            router.get(RouterPath(name)) { request, context in
                try await door.answer(to: Asker(request, context)) { _ -> String in
                    try Self.read(for: time, of: endless)
                    if name == "failing" { throw FilterError("That cannot be asked.") }
                    return name
                } as: { name in
                    Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: name)))
                }
            }
        }
        let place = PlaceAnswers.Place("place", options: []) { _ in
            try Self.read(for: .seconds(100_000), of: endless)
            return []
        }
        PlaceRoutes(store: door, answers: PlaceAnswers([place])).add(to: router)
        let doors = ["late": patientDoor, "hasty": hastyDoor]
        for name in ["file", "silent", "late", "begun", "flood", "hasty"] {
            router.get(RouterPath(name)) { request, context in
                let stream = StoreStream(doors[name] ?? door) { _, write in
                    switch name {
                    case "flood", "hasty": try Self.flood(endless, write)
                    case "file": try Self.read(for: .seconds(100_000), of: endless)
                    case "silent": try Self.writeNothing(of: endless, to: write)
                    default:
                        if name == "begun" { try write(Array("first".utf8)) }
                        try Self.writeLast(of: endless, to: write)
                    }
                }
                return try await Response(status: .ok, body: stream.body(for: Asker(request, context)))
            }
        }
        let told: [(String, HTTPRequest.Method, StoreDoor)] = [
            ("told", .get, patientDoor), ("told", .post, patientDoor), ("brief", .get, briefDoor),
            ("brief", .post, briefDoor),
        ]
        for (name, method, door) in told {
            router.on(RouterPath(name), method: method) { request, context in
                try await door.answer(to: Asker(request, context)) { _ -> String in
                    try Self.writeLast(of: endless) { _ in try Task.checkCancellation() }
                    return "last"
                } as: { last in
                    Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: last)))
                }
            }
        }
        let (log, heartbeat) = (ChangeLog(store), Duration.milliseconds(20))
        let eventDoor = StoreDoor(store, halfCloseTime: .seconds(3_600), waitTime: .milliseconds(1))
        EventRoutes(store: eventDoor, log: log, window: .milliseconds(1), heartbeat: heartbeat).add(to: router)
        let server = HTTPServerBuilder.http1(
            configuration: HTTP1Channel.Configuration(additionalChannelHandlers: [RequestQueue()])
        )
        try await Application(router: router, server: server).test(.live) { client in
            try await body(try #require(client.port), endless)
        }
        try store.close()
    }

    @Test(
        "It is given up when the asker goes away; who stays is answered, and a quick one's connection stays",
        arguments: ["endless", "place.json", "file", "silent"]
    )
    func ends(_ address: String) async throws {
        try await serve { port, endless in
            func ask(_ name: String) async throws -> RawClient {
                let client = try await RawClient.connect(port: port)
                try await client.send("GET /\(name) HTTP/1.1\r\nHost: page.test\r\n\r\n")
                return client
            }
            let left = try await ask(address)
            _ = try await endless.wait(for: "the read to begin") { $0.isBegun }
            try await left.close()
            _ = try await endless.wait(for: "the read to be given up") { $0.isGivenUp }
            let slow = try Reply(await ask("slow").readToEnd())
            #expect(slow.status == 200 && slow["connection"] == "close" && slow.text == "slow")
            let failed = try Reply(await ask("failing").readToEnd())
            #expect(failed.status == 400 && failed["connection"] == "close")
            let quick = try await ask("quick")
            let head = try await quick.read(through: "\r\n\r\n")
            #expect(head.contains(" 200 ") && !head.lowercased().contains("connection: close"))
            _ = try await quick.read(count: 5)
            try await quick.send("GET /quick HTTP/1.1\r\nHost: page.test\r\n\r\n")
            #expect(try await quick.read(through: "quick").contains(" 200 "))
        }
    }

    @Test(
        "Whatever comes behind a request whose asker is watched, it is answered whole, and its answer is the last",
        arguments: ["slow", "failing"],
        ["GET /quick HTTP/1.1\r\nHost: page.test\r\n\r\n", "no HTTP\r\n\r\n"]
    )
    func follows(address: String, next: String) async throws {
        try await serve { port, _ in
            let client = try await RawClient.connect(port: port)
            try await client.send("GET /\(address) HTTP/1.1\r\nHost: page.test\r\n\r\n\(next)")
            let bytes = try await client.readToEnd()
            let (reply, all) = (try Reply(bytes), String(decoding: bytes, as: UTF8.self))
            #expect(reply.status == (address == "slow" ? 200 : 400) && reply["connection"] == "close", "\(all)")
            #expect(all.components(separatedBy: "HTTP/1.1 ").count == 2 && !all.hasSuffix("quick"), "\(all)")
        }
    }

    @Test(
        "Who closes only its own side, behind the request or while the answer comes, has the whole answer",
        arguments: [("GET", "late"), ("GET", "begun"), ("GET", "told"), ("POST", "told"), ("POST", "brief")]
    )
    func halfCloses(method: String, address: String) async throws {
        try await serve { port, life in
            let client = try await RawClient.connect(port: port)
            try await client.send("\(method) /\(address) HTTP/1.1\r\nHost: page.test\r\nContent-Length: 0\r\n\r\n")
            _ = try await life.wait(for: "the answer to begin") { $0.isBegun }
            let first = try await address == "begun" ? client.read(through: "first") : ""
            try await client.halfClose()
            life.update { $0.isHalfClosed = true }
            let rest = String(decoding: try await client.readToEnd(), as: UTF8.self)
            let end = ["told", "brief"].contains(address) ? "last" : "last\r\n0\r\n\r\n"
            #expect((first + rest).contains(" 200 ") && rest.hasSuffix(end), "\(first) \(rest)")
        }
    }

    @Test("A read of who may have left at once, or may only have closed its own side, is given up after a time")
    func brief() async throws {
        try await serve { port, life in
            let client = try await RawClient.connect(port: port)
            try await client.send("GET /brief HTTP/1.1\r\nHost: page.test\r\n\r\n")
            _ = try await life.wait(for: "the answer to begin") { $0.isBegun }
            try await client.halfClose()
            _ = try await life.wait(for: "the answer to be given up") { $0.isGivenUp }
        }
    }

    @Test(
        "Who resets the connection leaves, at any time and whatever was asked for",
        arguments: [("GET", "late"), ("GET", "begun"), ("GET", "told"), ("POST", "told")]
    )
    func resets(method: String, address: String) async throws {
        try await serve { port, life in
            let client = try await RawClient.connect(port: port)
            try await client.send("\(method) /\(address) HTTP/1.1\r\nHost: page.test\r\nContent-Length: 0\r\n\r\n")
            _ = try await life.wait(for: "the answer to begin") { $0.isBegun }
            if address == "begun" { _ = try await client.read(through: "first") }
            try await client.reset()
            _ = try await life.wait(for: "the answer to be given up") { $0.isGivenUp }
        }
    }

    @Test(
        "Files that nobody takes on hold up no read, however many they are"
    )
    func stalls() async throws {
        try await serve { port, life in
            var clients: [RawClient] = []
            for number in 0..<40 {
                let client = try await RawClient.connect(port: port, holdsLittle: true)
                try await client.setReading(false)
                try await client.send("GET /flood HTTP/1.1\r\nHost: page.test\r\n\r\n")
                // The last have no turn yet.
                if number < 32 { try await client.take(1) }
                clients.append(client)
            }
            let quick = try await RawClient.connect(port: port)
            try await quick.send("GET /quick HTTP/1.1\r\nHost: page.test\r\nConnection: close\r\n\r\n")
            #expect(try Reply(await quick.readToEnd()).text == "quick")
            for client in clients { try await client.close() }
            _ = try await life.wait(for: "a file to be given up") { $0.isGivenUp }
        }
    }

    @Test("A file of which its asker takes nothing for a time is given up, and the connection with it")
    func hasty() async throws {
        try await serve { port, life in
            let client = try await RawClient.connect(port: port, holdsLittle: true)
            try await client.setReading(false)
            try await client.send("GET /hasty HTTP/1.1\r\nHost: page.test\r\n\r\n")
            _ = try await life.wait(for: "the file to be given up") { $0.isGivenUp }
        }
    }

    @Test("Events come on for who closes only its own side, and end for a browser that does")
    func events() async throws {
        try await serve { port, _ in
            for field in ["", "Sec-Fetch-Site: same-origin\r\n"] {
                let client = try await RawClient.connect(port: port)
                try await client.send("GET /api/v1/events HTTP/1.1\r\nHost: page.test\r\n\(field)\r\n")
                try await client.halfClose()
                if field.isEmpty {
                    for _ in 0..<20 { _ = try await client.read(through: ": still here\n\n") }
                } else {
                    let all = String(decoding: try await client.readToEnd(), as: UTF8.self)
                    #expect(all.hasSuffix("\r\n0\r\n\r\n"))
                }
            }
        }
    }

    @Test("A browser never closes only its own side: its end is a leave at any time", arguments: ["late", "told"])
    func browsers(_ address: String) async throws {
        try await serve { port, life in
            let client = try await RawClient.connect(port: port)
            try await client.send("GET /\(address) HTTP/1.1\r\nHost: page.test\r\nSec-Fetch-Site: same-origin\r\n\r\n")
            _ = try await life.wait(for: "the answer to begin") { $0.isBegun }
            try await client.close()
            _ = try await life.wait(for: "the answer to be given up") { $0.isGivenUp }
        }
    }

    /// Takes every way there is to read a store, until it lets them go.
    private struct HeldReaders {
        /// As many as a store has.
        private static let count = 16
        private let held = Watched(0)
        private let room = DispatchSemaphore(value: 0)

        init(_ store: TrafficStore) async throws {
            for _ in 0..<HeldReaders.count {
                Thread.detachNewThread { [held, room] in
                    _ = try? store.list(ListingQuery(limit: 1)) { _, _ in
                        held.update { $0 += 1 }
                        room.wait()
                    }
                }
            }
            _ = try await held.wait(for: "every reader to be taken") { $0 == HeldReaders.count }
        }

        /// Lets them go after a time.
        func end(after time: Duration) async throws {
            defer { for _ in 0..<HeldReaders.count { room.signal() } }
            try await held.stays("the readers", for: time) { $0 == HeldReaders.count }
        }
    }

    @Test(
        "What looks at the whole store before it does something is watched as well: once it lasts, it costs the connection, and nothing else",
        arguments: [
            ("POST", "/api/v1/clear?all=true", "{}", #""deleted""#),
            ("POST", "/api/v1/marks?all=true", #"{"favourite":true}"#, #""marked""#),
            ("POST", "/api/v1/replay", #"{"q":"code:200"}"#, "4711"), ("POST", "/api/v1/compact", "{}", #""before""#),
            ("GET", "/api/v1/store", "", "{"),
        ]
    )
    func watched(method: String, target: String, body: String, told: String) async throws {
        // What comes behind a body is not seen before the body is taken away.
        let body = method == "POST" ? body + String(repeating: " ", count: 1_000_000) : body
        try await RunningPage.with(control: ReplayRecorder()) { page in
            var isWatched = false
            // A busy machine may ask so late that the readers are free again: then they are held for longer.
            for seconds in [1, 4, 16] where !isWatched {
                try await page.store.record(Recorded.exchange())
                try page.store.index()
                let readers = try await HeldReaders(page.store)
                let client = try await RawClient.connect(port: page.port)
                try await client.send(
                    "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\nAuthorization: Bearer \(page.token)\r\n"
                        + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                // A client may close its own side behind its request, and wait for the answer.
                try await client.halfClose()
                try await readers.end(after: .seconds(seconds))
                let reply = try Reply(await client.readToEnd())
                #expect(reply.status == 200 && reply.text.contains(told), "\(reply.text)")
                isWatched = reply["connection"] == "close"
            }
            #expect(isWatched)
        }
    }
}
