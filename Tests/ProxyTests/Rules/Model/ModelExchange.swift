import Support

/// An exchange made up at random: what a client asks, and what the origin would answer.
struct ModelExchange {
    let method: String
    let host: String
    let path: String
    let query: String?
    /// The field lines of the request, without Host and those that say where its body ends.
    let fields: [String]
    /// The request's body; empty where the method has none.
    let body: String
    private let isChunked: Bool
    /// The response's status.
    private(set) var code: Int
    /// The field lines of the response, without those that say where its body ends.
    private(set) var answerFields: [String]
    private var answerBody: String
    private let isAnswerChunked: Bool

    private static let queries = [nil, "beta=1", "x=%20z&y", "utm_a=1&beta=2&beta=3", "be%74a=1&utm_b", "new=0&x=1"]
    private static let requestLines = [
        "X-Mark: 1", "x-mark:2", "X-Odd:  a b \t", "User-Agent: curl/8", "Accept: */*", "X-Debug: y",
        "x-debug-more: z", "Cookie: a=1; b=2", "X-None:",
    ]
    private static let responseLines = [
        "X-Kind: a", "x-kind:b", "Server:  origin ", "ETag: \"a\"", "Set-Cookie: a=1", "Set-Cookie: b=2", "X-Odd:\tc",
    ]

    init(_ dice: inout SeededGenerator) {
        func one<Value>(_ values: [Value], _ usual: Value) -> Value { values.randomElement(using: &dice) ?? usual }
        func some(_ lines: [String]) -> [String] {
            Array(lines.shuffled(using: &dice).prefix(Int.random(in: 0...5, using: &dice)))
        }
        method = one(["GET", "GET", "HEAD", "POST", "POST", "PUT"], "GET")
        host = one(["api.a.test", "b.test"], "b.test")
        path = one(["/", "/cart", "/cart/9", "/list"], "/")
        query = one(Self.queries, nil)
        fields = some(Self.requestLines)
        body = ["POST", "PUT"].contains(method) ? one(["", "foo", "nothing"], "") : ""
        isChunked = one([false, false, true], false)
        code = one([200, 200, 201, 204, 404, 500, 503], 200)
        let types = [[], ["Content-Type: application/json"], ["content-type: text/plain; charset=utf-8"]]
        answerFields = some(Self.responseLines) + one(types, [])
        answerBody = one(["", "bar", "\"bar\"", "nothing"], "")
        isAnswerChunked = one([false, false, true], false)
    }

    /// The target in origin-form.
    var target: String { path + (query.map { "?\($0)" } ?? "") }

    /// What the client has of the response's body.
    var content: String { method == "HEAD" || code == 204 ? "" : answerBody }

    /// The bytes of the request, as a client sends them to a proxy.
    ///
    /// - Parameter port: the origin's.
    /// - Returns: the bytes, as text.
    func request(to port: Int) -> String {
        let hasLength = !body.isEmpty || method == "POST"
        let framing = hasLength ? [Self.framing(body, isChunked)] : []
        let start = "\(method) http://\(host):\(port)\(target) HTTP/1.1"
        let head = ModelHead(start, ["Host: \(host):\(port)"] + fields + framing)
        return head.text + (hasLength ? Self.framed(body, isChunked) : "")
    }

    /// The bytes of the response, as the origin sends them.
    var response: String {
        let framing = code == 204 ? [] : [Self.framing(answerBody, isAnswerChunked)]
        let head = ModelHead("HTTP/1.1 \(code) Fine", framing + answerFields)
        return head.text + (method == "HEAD" || code == 204 ? "" : Self.framed(answerBody, isAnswerChunked))
    }

    private static func framing(_ body: String, _ isChunked: Bool) -> String {
        isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.utf8.count)"
    }

    private static func framed(_ body: String, _ isChunked: Bool) -> String {
        guard isChunked else { return body }
        return body.isEmpty ? "0\r\n\r\n" : "\(body.utf8.count)\r\n\(body)\r\n0\r\n\r\n"
    }

    /// The exchange once a rule has answered it.
    func answered(by answer: ModelAnswer, of rule: String) -> ModelExchange {
        var exchange = self
        (exchange.code, exchange.answerBody) = (answer.status.code, answer.text)
        exchange.answerFields = answer.head(of: rule).lines
        return exchange
    }
}
