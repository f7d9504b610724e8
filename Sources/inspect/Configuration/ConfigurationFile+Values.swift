import Traffic

extension ConfigurationFile {
    /// What the file sets, with what of it no option takes.
    struct Reading {
        var values: [ConfiguredValue] = []
        var problems: [ConfigurationProblem] = []
    }

    /// The values of entries, for the options that there are; whether an option takes its value is the parser's to say.
    ///
    /// - Parameters:
    ///   - entries: the entries of the file, or of one profile.
    ///   - options: all that there are.
    ///   - home: the user's home directory.
    /// - Returns: the values in the order of the entries, and what is no option or no value.
    func read(_ entries: [Entry], for options: [ConfigurableOption], home: String) -> Reading {
        var reading = Reading()
        for entry in entries {
            guard let option = options.first(where: { $0.name == entry.key }) else {
                reading.problems.append(unknown(entry, options))
                continue
            }
            switch texts(entry, option) {
            case .success(let texts):
                let values = texts.map { option.placed($0, in: directory, home: home) }
                reading.values.append(
                    ConfiguredValue(
                        option: option,
                        values: values,
                        source: .file(path: path, line: entry.line, column: entry.column)
                    )
                )
            case .failure(let problem): reading.problems.append(problem)
            }
        }
        return reading
    }

    private func texts(
        _ entry: Entry,
        _ option: ConfigurableOption
    ) -> Result<[String], ConfigurationProblem> {
        func wrong(_ sentence: String) -> Result<[String], ConfigurationProblem> {
            .failure(
                ConfigurationProblem(
                    path: path,
                    line: entry.valueLine,
                    column: entry.valueColumn,
                    sentence: sentence
                )
            )
        }
        switch (option.kind, entry.value) {
        case (.flag, .text("true", false)): return .success(["true"])
        case (.flag, .text("false", false)): return .success(["false"])
        case (.flag, _): return wrong("\(entry.key) is true or false")
        case (_, .nothing): return wrong("\(entry.key) has no value; take the line away, or give it one")
        case (_, .other(let kind)): return wrong("\(entry.key) takes \(expected(option)), not \(kind)")
        case (.list, .list(let texts)): return .success(texts)
        case (.value, .list): return wrong("\(entry.key) takes \(expected(option)), not a list")
        case (_, .text(let text, _)): return .success([text])
        }
    }

    private func expected(_ option: ConfigurableOption) -> String {
        let name = option.information.valueName.uppercased()
        return option.kind == .list ? "a list of \(name)" : "one \(name)"
    }

    private func unknown(_ entry: Entry, _ options: [ConfigurableOption]) -> ConfigurationProblem {
        func problem(_ sentence: String) -> ConfigurationProblem {
            ConfigurationProblem(path: path, line: entry.line, column: entry.column, sentence: sentence)
        }
        if entry.key == "config" { return problem("a file cannot name another; 'config' is for the command line") }
        if entry.key == "profiles" { return problem("profiles stand at the top of the file, not in a profile") }
        let plain = entry.key.lowercased().replacing("_", with: "-").trimmingPrefix("--")
        for option in options {
            if case .flag(let inverse?) = option.kind, inverse == plain {
                return problem("there is no option '\(entry.key)'; write '\(option.name): false'")
            }
        }
        let guess = EditDistance.nearest(to: String(plain), in: options.map(\.name) + ["profiles"])
        return problem(
            "there is no option '\(entry.key)'"
                + (guess.map { "; did you mean '\($0)'?" } ?? "; see 'inspect help start'")
        )
    }
}
