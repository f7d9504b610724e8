import Support
import Testing

/// From an installed program in a clean home to the first decrypted request on the page; `LongTests` judges the time by a release build.
@Suite(.timeLimit(.minutes(15))) struct FirstMinuteTests {
    @Test("Three commands in a clean home show a decrypted request on the page that the first of them opens")
    func minute() async throws {
        let minute = try await FirstMinute()
        #expect(minute.said.contains("The page is open in your browser.\n\nNext:\none command   inspect run -- curl "))
        let row = try #require(minute.listing.exchanges.first)
        #expect(minute.listing.total == 1 && row.scheme == "https" && row.code == 200 && row.target == "/length")
        #expect(minute.shown.contains("Käse, 干酪, сыр."), "\(minute.shown)")
        print("first minute: \(minute.took)")
    }
}
