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
            ArgumentMistake(["filter", "--no-such-option"], "Unknown option '--no-such-option'"),
            ArgumentMistake(["show"], "Missing expected argument '<id>'"),
            ArgumentMistake(["show", "nine"], "The value 'nine' is invalid for '<id>'"),
            ArgumentMistake(["show", "0"], "the number of an exchange is 1 or more, not 0"),
            ArgumentMistake(["show", "1", "--raw"], "--body"),
            ArgumentMistake(["export", "--format", "xml"], "The value 'xml' is invalid for"),
            ArgumentMistake(["tail", "--last", "x"], "The value 'x' is invalid for '--last <n>'"),
            ArgumentMistake(["facility-api", "--fault", "777"], "fault '777' is unknown: expected one of 400"),
            ArgumentMistake(["facility-api", "--api-version", "3"], "2.1 or 2.2"),
            ArgumentMistake(["facility-api", "--port", "70000"], "--port 70000"),
            ArgumentMistake(["ls", "--store", ""], "--store has an empty value; name a file"),
            ArgumentMistake(["facilities", "--one"], "--one needs the slug or the name of a facility"),
            ArgumentMistake(["mark", "tag", "7"], "name a tag"),
            ArgumentMistake(["mark", "tag", "slow"], "name the exchanges by their numbers (7 or 10..20)"),
            ArgumentMistake(["mark", "tag", "7", "a,b"], "cannot be a tag"),
            ArgumentMistake(["mark", "note", "7"], "write the text after the exchange's number"),
            ArgumentMistake(["mark", "favourite"], "name the exchanges by their numbers (7 or 10..20)"),
            ArgumentMistake(["mark", "favourite", "7", "--query", "code:500"], "give it once"),
            ArgumentMistake(
                ["mark", "tag", "7", "--query", "code:500", "x"],
                "numbers of exchanges or --query, not both"
            ),
            ArgumentMistake(["export", "--title", "x"], "--title and --yaml go with --format openapi"),
            ArgumentMistake(["export", "--format", "openapi", "--all"], "--all is for HAR"),
            ArgumentMistake(["export", "--format", "openapi", "--no-redact"], "masks as --share does"),
            ArgumentMistake(["saved", "slow"], "write the query after the name slow"),
            ArgumentMistake(["saved", "--remove"], "--remove needs a name; 'inspect saved' lists them"),
            ArgumentMistake(["saved", "slow", "code:5xx", "--remove"], "--remove takes the name alone"),
            ArgumentMistake(["saved", "slow", "--json"], "--json is for the list"),
            ArgumentMistake(["mark", "tag", "20..10", "slow"], "20..10: the range begins above its end; write 10..20"),
        ]

    private static let queries = [
        ArgumentMistake(["filter", "--code", "abc"], "--code abc: expected a code such as 404"),
        ArgumentMistake(["filter", "--code", "1000"], "--code 1000: expected a code such as 404"),
        ArgumentMistake(["ls", "--code", "500,"], "--code has an empty value; name one"),
        ArgumentMistake(["ls", "--code", "\u{1B}[31m"], "\\e[31m"),
        ArgumentMistake(["ls", "--scheme", "gopher"], "--scheme gopher: expected http, https"),
        ArgumentMistake(["ls", "--since", "yesterday-ish"], "--since yesterday-ish: expected an age such as 10m"),
        ArgumentMistake(["ls", "--limit", "-1"], "Missing value for '--limit <n>'"),
        ArgumentMistake(["ls", "--limit", "many"], "The value 'many' is invalid for '--limit <n>'"),
        ArgumentMistake(["ls", "--json", "--jsonl"], "--json and --jsonl"),
        ArgumentMistake(["ls", "--color", "red"], "The value 'red' is invalid for '--color <when>'"),
        ArgumentMistake(["ls", "20..10"], "20..10: the range begins above its end; write 10..20"),
        ArgumentMistake(["clear", "0"], "the number of an exchange is 1 or more, not 0"),
        ArgumentMistake(["replay", "--method", "POST"], "name exchanges by number, or a query or filter flags"),
        ArgumentMistake(
            ["replay", "--host", "a.test", "--method", "POST"],
            "--method may select or edit here: write --set-method POST to send POST, or method:POST in the query to select"
        ),
        ArgumentMistake(
            ["replay", "7", "--to", "http://u:p@a.test"],
            "a base URL takes no user and password; give --header 'Authorization: …'"
        ),
        ArgumentMistake(["diff", "1", "2", "--code", "200"], "filter flags narrow sets"),
        ArgumentMistake(["ls", "--method", ""], "--method has an empty value"),
        ArgumentMistake(["replay", "10.."], "10..: a range has two ends, such as 10..20"),
        ArgumentMistake(["diff", "--left", "7", "--right", "9..8"], "write 8..9"),
        ArgumentMistake(["ls", "--after", "0"], "--after 0: expected the number of an exchange"),
        ArgumentMistake(["filter", "--http-version", "9"], "--http-version 9: expected 1.0, 1.1"),
    ]

    /// Where a proxy listens, whom it lets in, and how it goes on.
    private static let ways = [
        ArgumentMistake(["start", "--port"], "Missing value for '--port <n>'"),
        ArgumentMistake(["start", "--port", "70000"], "--port 70000: expected 0 to 65535"),
        ArgumentMistake(["start", "--port", "9000", "--web-port", "9000"], "--port and --web-port are both 9000;"),
        ArgumentMistake(["start", "--web-port", "9090"], "are both 9090, which --port is where none is named"),
        ArgumentMistake(["start", "--port", "9091"], "are both 9091, which --web-port is where none is named"),
        ArgumentMistake(
            ["start", "--listen-mode", "explicit@9000", "--web-port", "9000"],
            "--listen-mode 127.0.0.1:9000 and --web-port are both 9000; give"
        ),
        ArgumentMistake(
            ["start", "--listen-mode", "socks5@80", "--listen-mode", "explicit@9091"],
            "--listen-mode 127.0.0.1:9091 and --web-port are both 9091"
        ),
        ArgumentMistake(
            ["start", "--listen", "0.0.0.0", "--allow-client", "192.0.2.0/24", "--port", "9091"],
            "both 9091"
        ),
        ArgumentMistake(["start", "--listen-mode", "socks5:a:b@[::]:9091"], "[::]:9091 and --web-port are both 9091"),
        ArgumentMistake(["run", "--port", "9000", "--web-port", "9000", "--", "true"], "both 9000"),
        ArgumentMistake(["demo", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["browser", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["config", "show", "--port", "9000", "--web-port", "9000"], "both 9000"),
        ArgumentMistake(["run", "--no-such-option"], "the command follows --"),
        ArgumentMistake(["start", "--listen-mode", "socks5"], "socks5: expected MODE@PORT"),
        ArgumentMistake(["start", "--listen-mode", "socks4@1080"], "--listen-mode socks4: expected explicit, socks5"),
        ArgumentMistake(["start", "--listen-mode", "explicit@70000"], "explicit@70000: expected a PORT (0 to 65535)"),
        ArgumentMistake(["start", "--listen-mode", "explicit@::1:80"], "brackets"),
        ArgumentMistake(["start", "--listen-mode", "reverse:ftp://a@80"], "https://HOST"),
        ArgumentMistake(["start", "--listen-mode", "reverse:http://a/b@80"], "without a path or a user"),
        ArgumentMistake(["start", "--listen-mode", "socks5:user@80"], "USER:PASSWORD"),
        ArgumentMistake(["start", "--listen-mode", "explicit@80", "--port", "81"], "exclude each other"),
        ArgumentMistake(
            ["start", "--listen-mode", "explicit@80", "--listen-mode", "socks5@80"],
            "are at 127.0.0.1:80;"
        ),
        ArgumentMistake(
            ["start", "--listen-mode", "explicit@80", "--listen-mode", "socks5:a:b@0.0.0.0:80"],
            "are at 127.0.0.1:80 and 0.0.0.0:80;"
        ),
        ArgumentMistake(["demo", "--listen-mode", "socks5@0"], "explicit@0"),
        ArgumentMistake(["start", "--listen", "0.0.0.0"], "--proxy-auth USER:PASSWORD asks them to log in"),
        ArgumentMistake(["start", "--listen", "::"], "[::]:9090 could send traffic through this machine"),
        ArgumentMistake(["start", "--listen-mode", "socks5@192.0.2.1:1080"], "whoever reaches 192.0.2.1:1080 could"),
        ArgumentMistake(
            ["start", "--listen-mode", "transparent@[::]:80", "--proxy-auth", "a:b"],
            "no login can be asked for there"
        ),
        ArgumentMistake(["start", "--allow-client", "192.168.1.0/33"], "192.168.1.0/24"),
        ArgumentMistake(["start", "--pac-include", "a.test:80"], "--pac-include a.test:80"),
        ArgumentMistake(["start", "--pac-exclude", "a b"], "--pac-exclude a b"),
        ArgumentMistake(["start", "--proxy-auth", "user"], "--proxy-auth: expected USER:PASSWORD"),
        ArgumentMistake(["start", "--upstream-proxy", "ftp://a:1"], "socks5://"),
        ArgumentMistake(["start", "--upstream-proxy", "http://user:secret@a"], "HOST:PORT"),
        ArgumentMistake(["start", "--pass-through", "a:443"], "--pass-through a:443: expected host names"),
        ArgumentMistake(["start", "--resolve", "a:443"], "--resolve a:443: expected HOST:PORT:ADDRESS"),
        ArgumentMistake(["start", "--resolve", "a:443:b"], "--resolve a:443:b: expected HOST:PORT:ADDRESS"),
        ArgumentMistake(["start", "--client-certificate", "a"], "HOST=FILE"),
        ArgumentMistake(["start", "--web-token-file", ""], "--web-token-file has an empty value"),
    ]

    /// How much, how many and how long.
    private static let limits = [
        ArgumentMistake(["start", "--idle-timeout", "5"], "expected a time such as 500ms"),
        ArgumentMistake(["start", "--idle-timeout", "0s"], "The value '0s' is invalid for '--idle-timeout <time>'"),
        ArgumentMistake(["start", "--header-limit", "64kk"], "expected a size such as 1000, 256k"),
        ArgumentMistake(["start", "--body-limit", "-1"], "Missing value for '--body-limit <size>'"),
        ArgumentMistake(
            ["start", "--connection-limit", "0"],
            "'--connection-limit <n>': expected a number of 1 or more"
        ),
        ArgumentMistake(["start", "--stream-limit", "many"], "The value 'many' is invalid for '--stream-limit <n>'"),
        ArgumentMistake(["start", "--drain-seconds", "90000"], "expected 0 to 86400"),
        ArgumentMistake(["start", "--keep-for", "soon"], "expected an age such as 30m, 12h, 7d"),
        ArgumentMistake(["start", "--keep-bytes", "0"], "expected a size such as 1000, 256k"),
        ArgumentMistake(["start", "--keep-bytes", "1MiB"], "--keep-bytes takes at least 10MiB"),
        ArgumentMistake(["start", "--keep-count", "0"], "1 or more"),
        ArgumentMistake(["start", "--drop-marked"], "--drop-marked goes with --keep-for"),
        ArgumentMistake(["start", "--session", ""], "--session takes a name of 1 to 100 characters"),
    ]
}
