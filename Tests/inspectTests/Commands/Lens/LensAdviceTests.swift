import Lenses
import Testing

@testable import inspect

@Suite("A lens's advice in words", .timeLimit(.minutes(15)))
struct LensAdviceTests {
    @Test(
        "The command line's view names the options, as lines and as JSON, with the host as one word of a shell",
        arguments: [("gateway.icloud.com", "gateway.icloud.com"), ("a;b.icloud.com", "'a;b.icloud.com'")]
    )
    func words(host: String, word: String) throws {
        let advice = LensSection("What to do", .advice(.passThrough(host: host)))
        let rest = LensSection("What it is", .text("A tunnel"))
        let view = LensView(of: NativeCloudKitLens(), request: "A connection", sections: [rest, advice])
        let words =
            "It fails for as long as the proxy answers in its place. Pass it through: start with --pass-through \(word), or "
            + "without --no-default-pass-through, since Apple's hosts are passed through by default. It then works, unread."
        #expect(view.withCommands.sections == [rest, LensSection("What to do", .text(words))])
        #expect(LensLines(layout: .plain).lines(advice) == ["What to do", "  " + words])
    }
}
