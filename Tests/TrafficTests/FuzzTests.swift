import Archive
import NIOCore
import Support
import Testing
import Traffic

/// What a parser makes of thousands of texts that are nearly right: never a trap, and always something that holds.
@Suite("Nothing that is read traps", .timeLimit(.minutes(15)))
struct FuzzTests {
    private static let rounds = 20_000
    private static let decodings = 2_000

    @Test("An endpoint is read as itself, or not at all", arguments: 0..<4 as Range<UInt64>)
    func endpoint(seed: UInt64) { readEndpoints(rounds: Self.rounds, seed: seed) }

    /// Reads so many random endpoints.
    func readEndpoints(rounds: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "localhost", "127.0.0.1", "[", "]", "::1", "[::1]", ":", "80", "0", "65535", "65536",
            "99999999999999999999", "@", "%", ".", "-",
            " ", "\0", "é", "\u{0}", "/", "xn--", "٣",
        ]
        for _ in 0..<rounds {
            let text = String(decoding: random.bytes(of: pieces, atMost: 60), as: UTF8.self)
            for defaultPort in [nil, 443] {
                guard let endpoint = Endpoint(authority: text, defaultPort: defaultPort) else { continue }
                #expect((1...65_535).contains(endpoint.port) && !endpoint.host.isEmpty, "\(text.debugDescription)")
                #expect(
                    Endpoint(authority: endpoint.description, defaultPort: nil) == endpoint,
                    "\(text.debugDescription)"
                )
            }
        }
    }

    @Test("A facet's value is read or refused with a sentence", arguments: Facet.all.indices)
    func selector(index: Int) { readSelectors(of: Facet.all[index], rounds: Self.rounds / 16, seed: 5) }

    /// Reads so many random values of a facet.
    func readSelectors(of facet: Facet, rounds: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "404", "5xx", "xx", "-", ">=", "<=", ">", "<", "99999999999999999999", "0", "pending", "none", "*", ".",
            "a.test", ",", " ", "\0", "é", "٤",
            "HTTP/", "1.1", "2", "application/json", "/", "*/*", "(", ")", "\\", "[", "?",
        ]
        for _ in 0..<rounds {
            let text = String(decoding: random.bytes(of: pieces, atMost: 40), as: UTF8.self)
            do {
                let selector = try FacetSelector(text, in: facet)
                #expect((try? FacetSelector(text, in: facet)) == selector)
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
    }

    @Test(
        "Coded bytes decode as far as they do, whatever they are and however they are cut",
        arguments: 40..<43 as Range<UInt64>
    )
    func coded(seed: UInt64) async throws { try await decode(rounds: Self.decodings, seed: seed) }

    /// Decodes so many bodies that were coded and then spoilt.
    func decode(rounds: Int, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let text = Array(String(repeating: "some text, ", count: 300).utf8)
        let bodies = [
            ("gzip", try Coded.zlib("gzip", text)), ("deflate", try Coded.zlib("zlib", text)),
            ("deflate", try Coded.zlib("raw", text)), ("br", try Coded.brotli(text)),
            ("zstd", try Coded.zstd(text)),
        ]
        for _ in 0..<rounds {
            guard var (name, bytes) = bodies.randomElement(using: &random) else { continue }
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.removeSubrange(place..<min(place + 5, bytes.count - 1))
                default: bytes.insert(contentsOf: bytes.prefix(place), at: place)
                }
            }
            if Int.random(in: 0..<5, using: &random) == 0 { name += ", " + name }
            let limit = Int.random(in: 0..<10_000, using: &random)
            let decoder = ContentDecoder(names: ContentCoding.names([name]), limitBytes: limit)
            var count = 0
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = Int.random(in: 1...200, using: &random)
                decoder.write(Array(rest.prefix(size))) { count += $0.count }
                rest = rest.dropFirst(size)
            }
            decoder.finish { count += $0.count }
            #expect(count <= limit && count == decoder.length)
        }
    }

    @Test("Heads, fields, media types, queries and text are read leniently")
    func lenient() { readLeniently(rounds: Self.rounds, seed: 77) }

    /// Reads so many random heads, fields, queries and texts.
    func readLeniently(rounds: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "HTTP/1.1 200 OK", "GET / HTTP/1.1", "\r\n", "\n", "\r", ":", ": ", "Content-Type", "text/html", ";",
            "charset=", "\"", "\\", "=", "&", "%", "%4",
            "%zz", "+", "?", "#", "Set-Cookie", "Expires", "Wed, 21 Oct 2015 07:28:00 GMT", "99999999999999999999", ",",
            "é", "\0",
        ]
        for _ in 0..<rounds {
            let bytes = random.bytes(of: pieces, atMost: 200)
            let text = String(decoding: bytes, as: UTF8.self)
            let fields = HeaderList(head: ByteBuffer(bytes: bytes))
            for field in fields { #expect(field.name.utf8.count <= bytes.count * 3) }
            _ = fields.values("Content-Type")
            _ = HeaderList(trailers: ByteBuffer(bytes: bytes)).count
            _ = MediaType(text)?.charset
            _ = StatusLine(head: ByteBuffer(bytes: bytes)).reason
            _ = QueryString.items(text)
            _ = Cookie.sent(text)
            _ = Cookie.set(text)
            _ = ContentCoding.names([text])
            for charset in Charset.allCases { _ = charset.text(bytes) }
        }
    }
}
