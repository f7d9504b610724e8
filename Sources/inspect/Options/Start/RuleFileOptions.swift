import ArgumentParser
import Traffic

/// `--rules` and `--throttle`: the rules that change traffic in flight.
struct RuleFileOptions: ParsableArguments {
    @Option(
        name: .customLong("rules"),
        help: ArgumentHelp(
            "Change traffic by the rules of this file, or of the .yaml and .yml files of this directory. May be repeated.",
            discussion: "It is read again when it changes, and at SIGHUP. See 'inspect man changing-traffic'.",
            valueName: "file"
        ),
        completion: .file()
    )
    var paths: [String] = []

    @Option(
        name: .customLong("throttle"),
        help: ArgumentHelp(
            "Put all traffic into a slow network: \(NetworkPreset.names.joined(separator: ", ")).",
            discussion: "It is a rule named 'throttle', which 'inspect rules' lists and switches.",
            valueName: "preset"
        ),
        completion: .list(NetworkPreset.names)
    )
    private var named: String?

    /// The slow network of all traffic; `nil` for none.
    var throttle: NetworkPreset? { named.flatMap(NetworkPreset.named) }

    /// The rules that stand in no file.
    var own: [Rule] { throttle.map { [$0.rule(path: "--throttle")] } ?? [] }

    /// The options of a command that begins with a rules file of its own.
    func after(_ path: String) -> RuleFileOptions {
        var options = self
        options.paths.insert(path, at: 0)
        return options
    }

    mutating func validate() throws {
        if paths.contains("") {
            throw ValidationError("--rules has an empty value; name a file, for example --rules rules.yaml")
        }
        if let named, throttle == nil {
            let guess = EditDistance.nearest(to: named.lowercased(), in: NetworkPreset.names)
            let rest = guess.map { "did you mean \($0)?" } ?? "known are \(NetworkPreset.names.joined(separator: ", "))"
            throw ValidationError("--throttle knows no network '\(named)'; \(rest)")
        }
    }
}
