import Foundation
import Lenses
import Store
import Traffic

extension PlaceAnswers.Place {
    /// Bytes of an answer at most.
    private static var answerBytes: Int { 64 << 20 }

    /// A place whose question and answer are a lens's.
    ///
    /// - Parameters:
    ///   - name: its word in an address.
    ///   - options: the names in an address that are its own.
    ///   - mark: keeps marks of the place's own, and gives how many there are then; `nil` where it has none.
    ///   - board: answers from the question's captures; the date is that of the question. Like `mark` it throws `PlaceProblem` or `PlaceAnswers.Problem`, and what the walk throws.
    package init<Board: PlaceBoard>(
        _ name: String,
        options: Set<String>,
        mark: (@Sendable (PlaceAnswers.MarkedNames, TrafficStore) throws -> Int)? = nil,
        board: @escaping @Sendable (PlaceOptions, PlaceAnswers.Question, Date) throws -> Board
    ) {
        let told = mark.map { mark in
            { @Sendable (names: PlaceAnswers.MarkedNames, store: TrafficStore) in
                try PlaceAnswers.Problem.told { try mark(names, store) }
            }
        }
        self.init(name, options: options, mark: told) { question in
            var json = JSONWriter()
            try PlaceAnswers.Problem.told {
                try board(PlaceOptions(question.options), question, question.now).write(to: &json)
            }
            json.newline()
            guard json.length <= Self.answerBytes else {
                throw PlaceAnswers.Problem(
                    "that is more than \(Self.answerBytes >> 20) MiB; select less of it",
                    .absence
                )
            }
            return json.take()
        }
    }
}
