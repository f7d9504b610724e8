import Testing

/// The rules of the commands, each shown a text that breaks it and one that looks alike but does not.
@Suite(.timeLimit(.minutes(15))) struct CommandRuleTests {
    typealias Snippet = OffendingSnippetTests.Snippet

    @Test(
        "Options that are parsed from words of our own are found",
        arguments: [
            Snippet(
                text: "try PageOptions.parse([])\nlet rules = try RuleOptions\n    .parse([\"--rule\", rule])",
                path: "Sources/inspect/Commands/Tool/Thing.swift",
                lines: [1, 3]
            ),
            Snippet(
                text: "try StartCommand.parse(words)\ntry MethodFlag.parse(words)",
                path: "Sources/inspect/Instance/Thing.swift",
                lines: [1, 2]
            ),
            Snippet(
                text: "try StartCommand.parse(words)",
                path: "Sources/inspect/Configuration/ConfiguredCommandLine.swift",
                lines: []
            ),
            Snippet(
                text: "Moment.parse(text, now: 0)\nlet command = try parseAsRoot(all) // PageOptions.parse([])",
                path: "Sources/inspect/Inspect.swift",
                lines: []
            ),
        ]
    )
    func reparsed(_ snippet: Snippet) {
        #expect(HouseRules.reparsed(snippet.file).map(\.line) == snippet.lines)
    }

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
