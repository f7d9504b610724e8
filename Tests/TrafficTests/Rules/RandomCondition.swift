import Support

/// A condition made up at random: its query text, and what it means.
struct RandomCondition {
    var text: String
    var asksOfResponse: Bool
    var holds: (RandomFacts) -> Bool

    init(_ dice: inout SeededGenerator, ofResponse: Bool, depth: Int = 0) {
        switch Int.random(in: 0..<(depth > 2 ? 4 : 7), using: &dice) {
        case 0..<4: self = RandomCondition.test(Int.random(in: 0..<(ofResponse ? 7 : 5), using: &dice))
        case 4:
            let part = RandomCondition(&dice, ofResponse: ofResponse, depth: depth + 1)
            self = .init("-(\(part.text))", part.asksOfResponse) { !part.holds($0) }
        case let kind:
            let one = RandomCondition(&dice, ofResponse: ofResponse, depth: depth + 1)
            let two = RandomCondition(&dice, ofResponse: ofResponse, depth: depth + 1)
            let asks = one.asksOfResponse || two.asksOfResponse
            self =
                kind == 5
                ? .init("(\(one.text) \(two.text))", asks) { one.holds($0) && two.holds($0) }
                : .init("(\(one.text) or \(two.text))", asks) { one.holds($0) || two.holds($0) }
        }
    }

    private init(_ text: String, _ asksOfResponse: Bool, _ holds: @escaping (RandomFacts) -> Bool) {
        (self.text, self.asksOfResponse, self.holds) = (text, asksOfResponse, holds)
    }

    private static func test(_ number: Int) -> RandomCondition {
        switch number {
        case 0: .init("host:a.test", false) { $0.isA }
        case 1: .init("method:post", false) { $0.isPost }
        case 2: .init("path:/cart", false) { $0.isCart }
        case 3: .init("reqheader:x-mark", false) { $0.isMarked }
        case 4: .init("reqbody:foo", false) { $0.hasFoo }
        case 5: .init("code:5xx", true) { $0.isError }
        default: .init("resbody:bar", true) { $0.hasBar }
        }
    }
}
