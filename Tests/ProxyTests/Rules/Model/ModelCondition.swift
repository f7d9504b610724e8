import Support

/// A condition made up at random: its query text, and what it means of an exchange.
struct ModelCondition {
    let text: String
    let asksOfResponse: Bool
    let holds: (ModelExchange) -> Bool

    /// - Parameters:
    ///   - dice: what it is made up from.
    ///   - ofResponse: whether it may ask about the response.
    ///   - depth: how many conditions it stands in.
    init(_ dice: inout SeededGenerator, ofResponse: Bool, depth: Int = 0) {
        switch Int.random(in: 0..<(depth > 1 ? 4 : 7), using: &dice) {
        case 0..<4: self = Self.test(Int.random(in: 0..<(ofResponse ? 13 : 8), using: &dice))
        case 4:
            let part = Self(&dice, ofResponse: ofResponse, depth: depth + 1)
            self = .init("-(\(part.text))", part.asksOfResponse) { !part.holds($0) }
        case let kind:
            let one = Self(&dice, ofResponse: ofResponse, depth: depth + 1)
            let two = Self(&dice, ofResponse: ofResponse, depth: depth + 1)
            let asks = one.asksOfResponse || two.asksOfResponse
            if kind == 5 {
                self = .init("(\(one.text) \(two.text))", asks) { one.holds($0) && two.holds($0) }
            } else {
                self = .init("(\(one.text) or \(two.text))", asks) { one.holds($0) || two.holds($0) }
            }
        }
    }

    private init(_ text: String, _ asksOfResponse: Bool, _ holds: @escaping (ModelExchange) -> Bool) {
        (self.text, self.asksOfResponse, self.holds) = (text, asksOfResponse, holds)
    }

    /// One test: the first eight ask about the request, the others about the response.
    private static func test(_ number: Int) -> Self {
        func has(_ lines: [String], _ name: String, _ value: String = "") -> Bool {
            lines.contains { ModelHead.isMeant(ModelHead.name($0), by: name) && ModelHead.value($0).contains(value) }
        }
        return switch number {
        case 0: .init("host:a.test", false) { $0.host == "api.a.test" }
        case 1: .init("method:post", false) { $0.method == "POST" }
        case 2: .init("method:GET,HEAD", false) { ["GET", "HEAD"].contains($0.method) }
        case 3: .init("path:/cart", false) { $0.path.hasPrefix("/cart") }
        // As sent, or decoded.
        case 4: .init("query:beta", false) { $0.query?.replacing("%74", with: "t").contains("beta") == true }
        case 5: .init("reqheader:x-mark", false) { has($0.fields, "X-Mark") }
        case 6: .init("reqheader:x-mark=2", false) { has($0.fields, "X-Mark", "2") }
        case 7: .init("reqbody:foo", false) { $0.body.contains("foo") }
        case 8: .init("code:5xx", true) { $0.code / 100 == 5 }
        case 9: .init("code:404,204", true) { [404, 204].contains($0.code) }
        case 10: .init("resheader:x-kind", true) { has($0.answerFields, "X-Kind") }
        case 11: .init("type:json", true) { has($0.answerFields, "Content-Type", "json") }
        default: .init("resbody:bar", true) { $0.content.contains("bar") }
        }
    }
}
