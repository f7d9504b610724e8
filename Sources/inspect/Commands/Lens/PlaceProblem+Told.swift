import ArgumentParser
import Lenses

extension PlaceProblem {
    /// Runs a closure that reads or answers a command's question, and turns its problem into the error of a command.
    ///
    /// - Parameters:
    ///   - renamed: the names of options that are others on the command line.
    ///   - body: reads or answers the question.
    /// - Returns: what the closure returns.
    /// - Throws: `ValidationError` or `InputError` in place of a `PlaceProblem`.
    static func told<Value>(renamed: [String: String] = [:], _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PlaceProblem {
            let sentence = problem.words { "--\(renamed[$0] ?? $0)" }
            if problem.isOfQuestion { throw ValidationError(sentence) }
            throw InputError(sentence)
        }
    }
}
