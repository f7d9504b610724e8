import NIOCore

/// A request and its response as bytes.
struct SyntheticMessage {
    let method: String
    let target: String
    let code: Int
    let mediaType: String?
    let requestHead: ByteBuffer
    let responseHead: ByteBuffer
    private(set) var request = ByteBuffer()
    private(set) var response = ByteBuffer()

    init(host: SyntheticHost, number: Int, needle: Needle?, _ random: inout BenchmarkGenerator) {
        let question = Question(host, number, needle, &random)
        (method, target) = (question.method, question.target)
        code = needle == nil ? SyntheticMessage.code(host.kind, &random) : host.kind == .socket ? 101 : 200
        let hasBody = code < 300 && code != 204 && code != 101 || code >= 400
        var bytes: [UInt8] = []
        if hasBody { bytes = code >= 400 ? SyntheticBody.problem(code, &random) : question.body }
        let isText = host.kind != .images
        let isCoded = needle == .coded || needle == nil && isText && hasBody && random.below(100) < 15
        if isCoded { bytes = Gzip.compressed(bytes) }
        mediaType = bytes.isEmpty ? nil : code >= 400 ? "application/json" : question.mediaType
        response = ByteBuffer(bytes: bytes)
        request = ByteBuffer(bytes: question.requestBody)
        var fields = [
            ("Host", host.name), ("User-Agent", host.agent), ("Accept", "application/json, text/plain, */*"),
            ("Accept-Language", "en-CA,en;q=0.9"), ("Accept-Encoding", "gzip, deflate, br"),
            ("Cookie", "session=\(String(number % 400, radix: 36))c0ffee77aa31; theme=dark"),
            ("X-Request-Id", random.hex(32)),
        ]
        if request.readableBytes > 0 {
            fields += [("Content-Type", "application/json"), ("Content-Length", "\(request.readableBytes)")]
        }
        requestHead = SyntheticMessage.head("\(method) \(target) HTTP/1.1", fields)
        fields = []
        if let mediaType {
            fields.append(("Content-Type", mediaType.hasSuffix("json") ? mediaType + "; charset=utf-8" : mediaType))
        }
        if isCoded { fields.append(("Content-Encoding", "gzip")) }
        if needle == .header { fields.append(("X-Rare", Needle.header.rawValue)) }
        fields += [
            ("Content-Length", "\(bytes.count)"),
            ("Date", "Sat, 01 Nov 2026 12:\(10 + number / 60 % 50):\(10 + number % 50) GMT"),
            ("Server", "nginx/1.27.2"), ("Cache-Control", "private, max-age=60"), ("ETag", "\"\(random.hex(16))\""),
            ("Vary", "Accept-Encoding, Cookie"), ("Strict-Transport-Security", "max-age=31536000; includeSubDomains"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        responseHead = SyntheticMessage.head("HTTP/1.1 \(code) \(code < 400 ? "OK" : "Error")", fields)
    }

    private static func code(_ kind: SyntheticHost.Kind, _ random: inout BenchmarkGenerator) -> Int {
        switch kind {
        case .socket: return 101
        case .events: return 204
        case .tunnel: return 200
        default: break
        }
        switch random.below(1000) {
        case ..<880: return 200
        case ..<900: return 201
        case ..<930: return 304
        case ..<940: return 302
        case ..<965: return 404
        case ..<975: return 401
        case ..<982: return 400
        case ..<990: return 500
        case ..<995: return 503
        default: return 429
        }
    }

    private static func head(_ first: String, _ fields: [(String, String)]) -> ByteBuffer {
        var head = ByteBuffer()
        head.reserveCapacity(700)
        head.writeString(first)
        head.writeString("\r\n")
        for (name, value) in fields {
            head.writeString(name)
            head.writeString(": ")
            head.writeString(value)
            head.writeString("\r\n")
        }
        head.writeString("\r\n")
        return head
    }

    /// What is asked, and what answers it when all is well.
    private struct Question {
        var method = "GET"
        var target = "/"
        var mediaType = "application/json"
        var body: [UInt8] = []
        var requestBody: [UInt8] = []

        init(_ host: SyntheticHost, _ number: Int, _ needle: Needle?, _ random: inout BenchmarkGenerator) {
            let word = needle == .body || needle == .coded ? needle?.rawValue : nil
            switch host.kind {
            case .facilities:
                let extra = needle == .target ? "&search=\(Needle.target.rawValue)" : ""
                let resource = random.pick([
                    "facilities", "facilities", "schedules", "alerts", "locations", "categories",
                ])
                target =
                    random.below(3) == 0
                    ? "/whatsopen/v2/\(resource)/\(random.below(400))/?format=json&_=\(random.hex(10))\(extra)"
                    : "/whatsopen/v2/\(resource)/?format=json&page=\(random.below(50))&ts=\(1_762_000_000 + number)\(extra)"
                // Polling gives the same answer often.
                body = SyntheticBody.facilities(word == nil && random.below(3) == 0 ? number % 200 : nil, word, &random)
            case .meetings:
                target =
                    "/entrypoint.php?query&type=\(random.below(3) - 1)&start_time=\(random.below(86_400))&geo_lat=\(random.below(90_000))&page_size=\(10 + random.below(90))"
                body = SyntheticBody.meetings(&random)
            case .datasets:
                target =
                    "/api/3/action/package_search?q=\(random.pick(SyntheticBody.words))%20\(random.pick(SyntheticBody.words))&rows=\(random.below(50))&start=\(random.below(900))"
                body = SyntheticBody.datasets(&random)
            case .menus:
                method = "POST"
                target =
                    "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query?ckAPIToken=\(random.hex(20))"
                requestBody = SyntheticBody.question(needle == .request ? Needle.request.rawValue : nil, &random)
                body = SyntheticBody.menus(&random)
            case .images:
                target = "/t/\(random.below(18))/\(random.below(600))/\(random.below(600)).png"
                mediaType = random.below(5) == 0 ? "image/webp" : "image/png"
                body = SyntheticBody.image(random.below(300), &random)
            case .assets:
                let kind = random.below(3)
                target =
                    [
                        "/app.\(random.below(40)).js", "/site.\(random.below(40)).css",
                        "/fonts/inter-\(random.below(8)).woff2",
                    ][kind]
                mediaType = ["text/javascript", "text/css", "font/woff2"][kind]
                body =
                    kind == 2
                    ? SyntheticBody.image(300 + random.below(8), &random) : SyntheticBody.script(random.below(40))
            case .events:
                method = random.below(20) == 0 ? "PUT" : "POST"
                target = "/v1/events/\(random.hex(6))"
                requestBody = SyntheticBody.event(&random)
            case .socket: target = "/socket?room=\(random.below(90))"
            case .tunnel:
                method = "CONNECT"
                target = "\(host.name):443"
            }
            if random.below(200) == 0, requestBody.isEmpty, needle == nil {
                method = random.pick(["HEAD", "OPTIONS", "DELETE", "PATCH"])
            }
        }
    }
}
