/// What is wrong with a configuration file, and where.
struct ConfigurationProblem: Error, CustomStringConvertible, Equatable {
    let path: String
    /// Both from 1, as editors count.
    let line: Int
    let column: Int
    /// What is wrong and what would be right.
    let sentence: String

    /// `config.yaml:3:1: sentence`, the form that editors take for a place to go to.
    var description: String { "\(path):\(line):\(column): \(sentence)" }
}
