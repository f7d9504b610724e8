import Testing

/// A command line that cannot work, with what has to be in its line.
struct ArgumentMistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    /// A text that the line must have, so that it says what is wrong.
    let says: String

    private init(_ arguments: [String], _ says: String) {
        self.arguments = arguments
        self.says = says
    }

    var testDescription: String { arguments.joined(separator: " ") }

    /// One command line for each way in which the parser finds a mistake: the program itself is asked these.
    static let kinds = [
        ["no-such-command"], ["lss"], ["filter", "--no-such-option"], ["show"], ["show", "nine"], ["start", "--port"],
        ["start", "--idle-timeout", "5"], ["start", "--port", "70000"],
        ["start", "--port", "9000", "--web-port", "9000"],
        ["run", "--port", "9000", "--web-port", "9000", "--", "true"], ["ls", "--code", "\u{1B}[31m"],
    ]

    /// What the parser itself finds.
    static let usage: [ArgumentMistake] =
        queries + ways + limits + [
            ArgumentMistake(["no-such-command"], "there is no command 'no-such-command'"),
            ArgumentMistake(["lss"], "did you mean 'ls'"),
            ArgumentMistake(["filter", "--no-such-option"], "--no-such-option"), ArgumentMistake(["show"], "<id>"),
            ArgumentMistake(["show", "nine"], "nine"), ArgumentMistake(["show", "0"], "1 or more"),
            ArgumentMistake(["show", "1", "--raw"], "--body"),
            ArgumentMistake(["export", "--format", "xml"], "xml"), ArgumentMistake(["tail", "--last", "x"], "x"),
            ArgumentMistake(["facility-api", "--fault", "777"], "777"),
            ArgumentMistake(["facility-api", "--api-version", "3"], "2.1 or 2.2"),
            ArgumentMistake(["facility-api", "--port", "70000"], "--port 70000"),
            ArgumentMistake(["ls", "--store", ""], "--store"),
            ArgumentMistake(["tag", "7"], "name a tag"), ArgumentMistake(["tag", "slow"], "numbers"),
            ArgumentMistake(["tag", "7", "a,b"], "cannot be a tag"), ArgumentMistake(["note", "7"], "text"),
            ArgumentMistake(["favourite"], "numbers"),
            ArgumentMistake(["favourite", "7", "x"], "x"),
        ]

    private static let queries = [
        ArgumentMistake(["filter", "--code", "abc"], "--code abc"),
        ArgumentMistake(["filter", "--code", "1000"], "1000"),
        ArgumentMistake(["ls", "--code", "500,"], "--code"),
        ArgumentMistake(["ls", "--code", "\u{1B}[31m"], "\\e[31m"),
        ArgumentMistake(["ls", "--scheme", "gopher"], "--scheme gopher"),
        ArgumentMistake(["ls", "--since", "yesterday-ish"], "yesterday-ish"),
        ArgumentMistake(["ls", "--limit", "-1"], "--limit"), ArgumentMistake(["ls", "--limit", "many"], "many"),
        ArgumentMistake(["ls", "--json", "--jsonl"], "--json and --jsonl"),
        ArgumentMistake(["ls", "--after", "0"], "--after 0"),
        ArgumentMistake(["filter", "--http-version", "9"], "--http-version 9"),
    ]

    /// Where a proxy listens, whom it lets in, and how it goes on.
    private static let ways = [
        ArgumentMistake(["start", "--port"], "--port"), ArgumentMistake(["start", "--port", "70000"], "70000"),
        ArgumentMistake(["start", "--port", "9000", "--web-port", "9000"], "9000"),
        ArgumentMistake(["run", "--port", "9000", "--web-port", "9000", "--", "true"], "both 9000"),
        ArgumentMistake(["demo", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["browser", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["config", "show", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["run", "--no-such-option"], "the command follows --"),
        ArgumentMistake(["start", "--listen-mode", "socks5"], "--listen-mode socks5"),
        ArgumentMistake(["start", "--listen-mode", "socks4@1080"], "socks4"),
        ArgumentMistake(["start", "--listen-mode", "explicit@70000"], "70000"),
        ArgumentMistake(["start", "--listen-mode", "explicit@::1:80"], "brackets"),
        ArgumentMistake(["start", "--listen-mode", "reverse:ftp://a@80"], "https://HOST"),
        ArgumentMistake(["start", "--listen-mode", "reverse:http://a/b@80"], "path"),
        ArgumentMistake(["start", "--listen-mode", "socks5:user@80"], "USER:PASSWORD"),
        ArgumentMistake(["start", "--listen-mode", "explicit@80", "--port", "81"], "exclude each other"),
        ArgumentMistake(["start", "--listen-mode", "explicit@80", "--listen-mode", "socks5@80"], "127.0.0.1:80"),
        ArgumentMistake(["demo", "--listen-mode", "socks5@0"], "explicit@0"),
        ArgumentMistake(["start", "--listen", "0.0.0.0"], "--proxy-auth USER:PASSWORD asks them to log in"),
        ArgumentMistake(["start", "--listen", "::"], "--allow-client"),
        ArgumentMistake(["start", "--listen-mode", "socks5@192.0.2.1:1080"], "192.0.2.1:1080"),
        ArgumentMistake(
            ["start", "--listen-mode", "transparent@[::]:80", "--proxy-auth", "a:b"],
            "no login can be asked for there"
        ),
        ArgumentMistake(["start", "--allow-client", "192.168.1.0/33"], "192.168.1.0/24"),
        ArgumentMistake(["start", "--pac-include", "a.test:80"], "--pac-include a.test:80"),
        ArgumentMistake(["start", "--pac-exclude", "a b"], "--pac-exclude a b"),
        ArgumentMistake(["start", "--proxy-auth", "user"], "--proxy-auth"),
        ArgumentMistake(["start", "--upstream-proxy", "ftp://a:1"], "socks5://"),
        ArgumentMistake(["start", "--upstream-proxy", "http://user:secret@a"], "HOST:PORT"),
        ArgumentMistake(["start", "--pass-through", "a:443"], "a:443"),
        ArgumentMistake(["start", "--resolve", "a:443"], "a:443"),
        ArgumentMistake(["start", "--resolve", "a:443:b"], "a:443:b"),
        ArgumentMistake(["start", "--client-certificate", "a"], "HOST=FILE"),
        ArgumentMistake(["start", "--web-token-file", ""], "--web-token-file has an empty value"),
    ]

    /// How much, how many and how long.
    private static let limits = [
        ArgumentMistake(["start", "--idle-timeout", "5"], "500ms"),
        ArgumentMistake(["start", "--idle-timeout", "0s"], "--idle-timeout"),
        ArgumentMistake(["start", "--header-limit", "64kk"], "256k"),
        ArgumentMistake(["start", "--body-limit", "-1"], "--body-limit"),
        ArgumentMistake(["start", "--connection-limit", "0"], "--connection-limit"),
        ArgumentMistake(["start", "--stream-limit", "many"], "many"),
        ArgumentMistake(["start", "--drain-seconds", "90000"], "86400"),
        ArgumentMistake(["start", "--keep-for", "soon"], "7d"),
        ArgumentMistake(["start", "--keep-bytes", "0"], "256k"),
        ArgumentMistake(["start", "--keep-bytes", "1MiB"], "10MiB"),
        ArgumentMistake(["start", "--keep-count", "0"], "1 or more"),
        ArgumentMistake(["start", "--drop-marked"], "--keep-for"),
        ArgumentMistake(["start", "--session", ""], "--session"),
    ]
}
