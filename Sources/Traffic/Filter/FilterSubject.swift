/// An exchange that a filter looks at: its line at hand, everything else fetched only where a condition asks for it.
package protocol FilterSubject {
    /// Its line.
    var summary: ExchangeSummary { get }

    /// The head, trailers and measure of a side's message; `nil` where there is none.
    func message(_ side: MessageSide) throws -> Message?

    /// Kept bytes of a body as sent, from `offset`, at most `limitBytes`; empty at the end.
    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) throws -> [UInt8]

    /// The messages of its stream that follow the one of this number; empty at the end.
    func messages(after number: Int64) throws -> [StreamMessage]

    /// Whether it failed inside, by the word of its lens; asked only where its line leaves that open.
    func failsInside() throws -> Bool

    /// Its decoded bodies, which are kept where several tests look into them; `nil` where each decodes anew.
    var decoded: DecodedBodies? { get }

    /// Its field lines, URL and texts, which are kept folded where several tests look into them; `nil` where each folds anew.
    var heads: SearchedHeads? { get }

    /// Takes note that a body has more text than is looked at.
    func noteCut(_ side: MessageSide)
}

extension FilterSubject {
    package func noteCut(_ side: MessageSide) {}

    /// None: most subjects are looked into once.
    package var decoded: DecodedBodies? { nil }

    /// None: most subjects are looked into once.
    package var heads: SearchedHeads? { nil }

    /// False: most subjects know no lens.
    package func failsInside() throws -> Bool { false }
}
