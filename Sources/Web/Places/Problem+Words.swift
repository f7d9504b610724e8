import Lenses

extension PlaceAnswers.Problem {
    /// A lens's problem, with options named as an address names them.
    private init(_ problem: PlaceProblem) {
        self.init(problem.words { $0 }, problem.isOfQuestion ? .question : .absence)
    }

    /// Does a place's work and tells a lens's problem as the page's.
    static func told<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let problem as PlaceProblem {
            throw Self(problem)
        }
    }
}
