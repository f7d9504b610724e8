/// Finds which of some values the parser will not have, by parsing them: what is right is declared once, with the options.
struct ConfigurationCheck {
    /// Reads a command line; throws what is wrong with it.
    let parse: ([String]) throws -> Void

    /// A value that is wrong or excludes another; `nil` where it is unknown which value that is.
    struct Culprit {
        let value: ConfiguredValue?
        let sentence: String
    }

    /// What is wrong with the values, each once; nothing where the whole of them is right.
    func culprits(_ values: [ConfiguredValue]) -> [Culprit] {
        guard failure(values) != nil else { return [] }
        let isRight = values.map { failure([$0]) == nil }
        var good = zip(values, isRight).filter(\.1).map(\.0)
        let suspects = zip(values, isRight).filter { !$0.1 }.map(\.0)
        var found: [Culprit] = []
        // What is right by itself and wrong together: the last of them that makes it so.
        while let sentence = failure(good) {
            let place = good.indices.last { failure(Array(good[..<$0] + good[($0 + 1)...])) == nil }
            found.append(Culprit(value: place.map { good[$0] }, sentence: sentence))
            guard let place else { break }
            good.remove(at: place)
        }
        // What is wrong by itself may be right beside others.
        for suspect in suspects {
            if let sentence = failure(good + [suspect]) {
                found.append(Culprit(value: suspect, sentence: sentence))
            } else {
                good.append(suspect)
            }
        }
        return found
    }

    /// All that is wrong with a file: its form, its names, its values, by itself and with each profile.
    func problems(of file: ConfigurationFile, options: [ConfigurableOption], home: String) -> [ConfigurationProblem] {
        var problems = file.problems
        let own = file.read(file.entries, for: options, home: home)
        problems += own.problems
        problems += culprits(own.values).map { place($0, in: file) }
        for profile in file.profiles {
            let reading = file.read(profile.entries, for: options, home: home)
            problems += reading.problems
            let names = Set(reading.values.map(\.option.name))
            // Those of the file come first, so that what does not go with them is told of the profile.
            let together = own.values.filter { !names.contains($0.option.name) } + reading.values
            let known = Set(problems.map(\.description))
            problems += culprits(together).map { place($0, in: file) }.filter { !known.contains($0.description) }
        }
        if case .text(let name, _)? = file.entries.first(where: { $0.key == "profile" })?.value,
            !file.profiles.contains(where: { $0.name == name }),
            let entry = file.entries.first(where: { $0.key == "profile" })
        {
            problems.append(
                ConfigurationProblem(
                    path: file.path,
                    line: entry.valueLine,
                    column: entry.valueColumn,
                    sentence: "there is no profile '\(name)' in this file"
                )
            )
        }
        return problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    /// What the parser says of values by themselves; `nil` where it takes them.
    private func failure(_ values: [ConfiguredValue]) -> String? {
        do {
            try parse(values.flatMap(\.words))
            return nil
        } catch {
            return CommandFailure.sentence(error)
        }
    }

    private func place(_ culprit: Culprit, in file: ConfigurationFile) -> ConfigurationProblem {
        var (line, column) = (1, 1)
        if case .file(_, let ownLine, let ownColumn)? = culprit.value?.source { (line, column) = (ownLine, ownColumn) }
        return ConfigurationProblem(path: file.path, line: line, column: column, sentence: culprit.sentence)
    }
}
