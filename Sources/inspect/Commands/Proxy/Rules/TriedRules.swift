import Foundation
import Traffic

/// The words of `inspect rules try`, told apart: rules files, names of rules, and a query.
struct TriedRules {
    /// The rules to try, in the order of the list.
    let rules: [Rule]
    /// Rules and files that were named: each of them is meant to touch something.
    let named: [Named]
    /// The words of the query.
    let query: [String]

    /// A rule or a file that was named.
    struct Named {
        let text: String
        /// Its rules.
        let rules: Set<String>
    }

    /// Tells words apart: what is a file is a rules file, and words before the query that are names of rules choose those alone.
    ///
    /// - Parameters:
    ///   - terms: the words, as they came from the command line.
    ///   - usual: the files where the words name none.
    /// - Throws: `InputError` where there is no rule to try, `RuleFiles.Refusal` when a file is wrong, and what `usual` throws.
    init(_ terms: [String], usual: @autoclosure () throws -> [String]) throws {
        let words = terms.map(QueryArguments.written)
        let files = words.filter(Self.isFile)
        let read = files.isEmpty ? try usual() : files
        guard !read.isEmpty else {
            throw InputError("there are no rules to try; name a rules file: inspect rules try rules.yaml")
        }
        let all = try RuleFiles.rules(at: read)
        let known = Set(all.map(\.name))
        var rest = zip(terms, words).filter { !Self.isFile($0.1) }[...]
        var chosen: [String] = []
        while let word = rest.first?.1, known.contains(word) {
            chosen.append(word)
            rest = rest.dropFirst()
        }
        query = rest.map(\.0)
        rules = chosen.isEmpty ? all : Rule.alone(chosen, of: all)
        let tried = Set(rules.map(\.name))
        if chosen.isEmpty {
            let places = Dictionary(grouping: all, by: \.place.path).map { (Self.real($0), Set($1.map(\.name))) }
            named = try files.map { word in
                let read = Set(try RuleFiles.files(word).map(Self.real))
                let own = places.filter { read.contains($0.0) }.reduce(into: Set<String>()) { $0.formUnion($1.1) }
                return Named(text: word, rules: own.intersection(tried))
            }
        } else {
            named = chosen.map { Named(text: $0, rules: [$0]) }
        }
        guard !rules.isEmpty else { throw InputError("the rules files hold no rule") }
    }

    /// What was named and would have touched nothing.
    func idle(_ run: RuleTrialRun) -> [String] {
        let hits = Set(zip(run.rules, run.figures).filter { $0.1.hits > 0 }.map(\.0.name))
        return named.filter { $0.rules.isDisjoint(with: hits) }.map(\.text)
    }

    /// Whether a word names a file or a directory, or looks like a rules file that is not there.
    private static func isFile(_ word: String) -> Bool {
        word.hasSuffix(".yaml") || word.hasSuffix(".yml") || FileManager.default.fileExists(atPath: word)
    }

    /// The path of a file that may have several: of two that are named, rules stand in the first.
    private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
}
