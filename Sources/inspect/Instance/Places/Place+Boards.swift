import Foundation
import Lenses
import Store
import Traffic
import Web

extension PlaceAnswers.Place {
    /// Bytes of one answer at most.
    private static var answerBytes: Int { 64 << 20 }

    /// A place whose question and answer belong to a lens.
    ///
    /// - Parameters:
    ///   - name: the word of the place in an address.
    ///   - options: the names in an address that are the place's own.
    ///   - mark: keeps marks of the place's own and returns their number; `nil` for a place without marks.
    ///   - board: answers from the question's captures; the date is that of the question. Like `mark` it throws `PlaceProblem` or
    ///     `PlaceAnswers.Problem`, or what the walk throws.
    init<Board: PlaceBoard>(
        _ name: String,
        options: Set<String>,
        mark: (@Sendable (PlaceAnswers.MarkedNames, TrafficStore) throws -> Int)? = nil,
        board: @escaping @Sendable (PlaceOptions, PlaceAnswers.Question, Date) throws -> Board
    ) {
        let told = mark.map { mark in
            { @Sendable (names: PlaceAnswers.MarkedNames, store: TrafficStore) in
                try Self.told { try mark(names, store) }
            }
        }
        self.init(name, options: options, mark: told) { question in
            let answer = try JSONWriter.bytes { json in
                try Self.told {
                    try board(PlaceOptions(question.options), question, question.now).write(to: &json)
                }
                json.newline()
            }
            guard answer.count <= Self.answerBytes else {
                throw PlaceAnswers.Problem(
                    "that is more than \(Self.answerBytes >> 20) MiB; select less of it",
                    .absence
                )
            }
            return answer
        }
    }

    /// Does a place's work, and tells a lens's problem as the page's, with options named as an address names them.
    private static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PlaceProblem {
            throw PlaceAnswers.Problem(problem.words { $0 }, problem.isOfQuestion ? .question : .absence)
        }
    }
}
