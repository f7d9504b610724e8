import Support
import Testing

/// From `inspect start` to the first decrypted request; how long it takes is told here and judged of a release build (`LongTests`).
@Suite(.timeLimit(.minutes(15))) struct FirstRequestTests {
    @Test(
        "The first request is decrypted, the first time ever too, which makes the root, and the next start has the same"
    )
    func first() async throws {
        let directory = try TemporaryDirectory()
        let first = try await FirstRequest(in: directory)
        let root = try directory.read("ca/root.pem")
        let next = try await FirstRequest(in: directory)
        #expect(try directory.read("ca/root.pem") == root)
        #expect(try await StoredListing.read(in: directory, ["scheme:https code:200"]).matched == 2)
        print("first request ever: \(first.took), of the next start: \(next.took)")
    }
}
