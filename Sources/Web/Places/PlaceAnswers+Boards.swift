import Foundation
import Lenses
import Traffic

extension PlaceAnswers.Place {
    /// Bytes of an answer at most.
    private static var answerBytes: Int { 64 << 20 }

    /// A place whose question and answer are a lens's.
    ///
    /// - Parameters:
    ///   - name: its word in an address.
    ///   - options: the names in an address that are its own.
    ///   - board: answers from captures; the date is now. Throws Lenses' `PlaceProblem`, and what the walk throws.
    package init<Board: PlaceBoard>(
        _ name: String,
        options: Set<String>,
        board: @escaping @Sendable (PlaceOptions, Filter, any CaptureWalk, Date) throws -> Board
    ) {
        self.init(name, options: options) { question in
            var json = JSONWriter()
            do {
                try board(PlaceOptions(question.options), question.filter, question.store, Date()).write(to: &json)
            } catch let problem as Lenses.PlaceProblem {
                throw PlaceProblem(problem)
            }
            json.newline()
            guard json.length <= Self.answerBytes else {
                throw PlaceProblem("that is more than \(Self.answerBytes >> 20) MiB; select less of it", .absence)
            }
            return json.take()
        }
    }
}
