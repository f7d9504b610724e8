/// What an option is set to, and by what.
struct ConfiguredValue {
    /// Where a value comes from, what goes before the others first.
    enum Source: Equatable {
        /// The command line.
        case flag
        /// A variable of the environment.
        case environment(String)
        /// A place in the configuration file.
        case file(path: String, line: Int, column: Int)
        /// Nothing set it.
        case standard

        /// What goes before another is less.
        var rank: Int {
            switch self {
            case .flag: 0
            case .environment: 1
            case .file: 2
            case .standard: 3
            }
        }

        /// `flag`, `environment INSPECT_PORT`, `config.yaml:3` or `default`.
        var description: String {
            switch self {
            case .flag: "flag"
            case .environment(let name): "environment \(name)"
            case .file(let path, let line, _): "\(path):\(line)"
            case .standard: "default"
            }
        }
    }

    let option: ConfigurableOption
    /// One for an option of one value; `true` or `false` for a flag.
    let values: [String]
    let source: Source

    /// The words of a command line that say the same.
    var words: [String] { option.words(values) }

    /// The values with passwords in them covered, for being shown.
    var shown: [String] {
        values.map { value in
            if option.information.valueName.contains("password"), let colon = value.firstIndex(of: ":") {
                return value[...colon] + "***"
            }
            return value.replacing(/(:\/\/[^\/@:]*:|^socks5:[^:@]*:)[^\/]*@/) { "\($0.output.1)***@" }
        }
    }
}
