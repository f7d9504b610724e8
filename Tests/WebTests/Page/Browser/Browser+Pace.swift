import Testing

/// What the page costs, in measures that a slow machine does not change.
extension Browser {
    /// Has the page ask for something over and over, one question after the other, and count in `pace` the answers and the frames that are drawn
    /// meanwhile: two clocks that are as slow as the machine is.
    func countPace(by target: String) async throws {
        try await run(
            """
            window.pace = { roundTrips: 0, frames: 0 };
            const drawn = () => {
              window.pace.frames += 1;
              requestAnimationFrame(drawn);
            };
            drawn();
            (async () => {
              for (;;) {
                await (await fetch('\(target)', { cache: 'no-store', headers: { Authorization: `Bearer ${JSON.parse(localStorage['inspect.key'])}` } })).text();
                window.pace.roundTrips += 1;
              }
            })();
            """
        )
    }

    /// The answers and the frames so far, or what an expression has kept of them.
    func pace(_ expression: String = "window.pace") async throws -> (roundTrips: Int, frames: Int) {
        let counts = try #require(try await run("return \(expression)") as? [String: Int])
        return (try #require(counts["roundTrips"]), try #require(counts["frames"]))
    }

    /// The bytes of the page's heap that are in use, once what is not has been collected.
    func heap() async throws -> Int {
        try await devTools("HeapProfiler.collectGarbage", [:])
        return try #require(try await devTools("Runtime.getHeapUsage", [:])["usedSize"] as? Int)
    }
}
