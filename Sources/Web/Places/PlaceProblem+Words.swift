import Lenses

extension PlaceProblem {
    /// A lens's problem, with options named as an address names them.
    init(_ problem: Lenses.PlaceProblem) {
        self.init(problem.words { $0 }, problem.isOfQuestion ? .question : .absence)
    }
}
