extension Browser {
    /// What the page waits for an answer, in milliseconds: the median of nine, and one at least, since the clock is coarse.
    func roundTrip(_ target: String) async throws -> Double {
        let took = try await result(
            of: """
                const took = [];
                for (let count = 0; count < 9; count += 1) {
                  const start = performance.now();
                  await (await fetch('\(target)', { cache: 'no-store' })).text();
                  took.push(performance.now() - start);
                }
                return took.sort((a, b) => a - b)[4];
                """
        )
        return max(1, Double(took) ?? 1)
    }
}
