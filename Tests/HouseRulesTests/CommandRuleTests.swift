import Testing

/// The rules of the commands, each shown a text that breaks it and one that looks alike but does not.
@Suite(.timeLimit(.minutes(15))) struct CommandRuleTests {
    typealias Snippet = OffendingSnippetTests.Snippet

    @Test(
        "A channel handler of a command is found",
        arguments: [
            Snippet(
                text: "final class EchoHandler: ChannelInboundHandler {}\nfinal class A: RemovableChannelHandler {}",
                path: "Sources/inspect/Commands/Tool/Thing.swift",
                lines: [1, 2]
            ),
            Snippet(
                text: "let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>\n// a ChannelInboundHandler",
                path: "Sources/inspect/Commands/Tool/Thing.swift",
                lines: []
            ),
            Snippet(text: "final class EchoHandler: ChannelInboundHandler {}", lines: []),
        ]
    )
    func channelHandlers(_ snippet: Snippet) {
        #expect(HouseRules.channelHandlers(snippet.file).map(\.line) == snippet.lines)
    }
}
