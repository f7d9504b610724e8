import ArgumentParser
import Lenses

extension PlaceProblem {
    /// Reads the question of a command, or answers it, and tells what is wrong as a command does.
    ///
    /// - Parameters:
    ///   - renamed: options whose names are other ones on the command line.
    ///   - body: the work.
    /// - Returns: what it comes to.
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
