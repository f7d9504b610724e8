import Testing

/// What the page costs, in measures that a slow machine does not change.
extension Browser {
    /// Has the page ask for something over and over, one question after the other, and count the answers in `roundTrips`: a clock that is as slow as the
    /// machine is.
    func countRoundTrips(of target: String) async throws {
        try await run(
            """
            window.roundTrips = 0;
            (async () => {
              for (;;) {
                await (await fetch('\(target)', { cache: 'no-store', headers: { Authorization: `Bearer ${JSON.parse(localStorage['inspect.key'])}` } })).text();
                window.roundTrips += 1;
              }
            })();
            """
        )
    }

    /// The answers so far.
    func roundTrips() async throws -> Int { try #require(try await run("return window.roundTrips") as? Int) }

    /// The bytes of the page's heap that are in use, once what is not has been collected.
    func heap() async throws -> Int {
        try await devTools("HeapProfiler.collectGarbage", [:])
        return try #require(try await devTools("Runtime.getHeapUsage", [:])["usedSize"] as? Int)
    }
}
