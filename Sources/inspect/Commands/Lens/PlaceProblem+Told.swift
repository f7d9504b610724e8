import ArgumentParser
import Lenses

extension PlaceProblem {
    /// The problem as one sentence, with options named as a command line names them.
    private var sentence: String { words { "--\($0)" } }

    /// Reads the question of a command, or answers it, and tells what is wrong as a command does.
    ///
    /// - Parameter body: the work.
    /// - Returns: what it comes to.
    /// - Throws: `ValidationError` or `InputError` in place of a `PlaceProblem`.
    static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PlaceProblem {
            if problem.isOfQuestion { throw ValidationError(problem.sentence) }
            throw InputError(problem.sentence)
        }
    }
}
