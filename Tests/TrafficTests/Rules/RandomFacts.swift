import Support

/// What is true of an exchange that is made up at random.
struct RandomFacts {
    var isA, isPost, isCart, isMarked, hasFoo, isError, hasBar: Bool

    init(_ dice: inout SeededGenerator) {
        func toss() -> Bool { Bool.random(using: &dice) }
        (isA, isPost, isCart, isMarked) = (toss(), toss(), toss(), toss())
        (hasFoo, isError, hasBar) = (toss(), toss(), toss())
    }

    var exchange: RuledExchange {
        RuledExchange(
            isPost ? "POST" : "GET",
            isA ? "api.a.test" : "b.test",
            isCart ? "/cart" : "/",
            fields: isMarked ? ["X-Mark: 1"] : [],
            body: hasFoo ? "foo" : "nothing",
            code: isError ? 503 : 200,
            responseFields: ["Content-Type: text/plain"],
            responseBody: hasBar ? "bar" : "nothing"
        )
    }

    /// The facts once a rule has answered with 503 and no body.
    var answered: RandomFacts {
        var facts = self
        (facts.isError, facts.hasBar) = (true, false)
        return facts
    }
}
