/// One thing that keeps traffic from being captured, and the command that fixes it.
struct DoctorFinding: Sendable, Equatable {
    /// What is wrong, as one sentence without a full stop.
    let problem: String
    /// The command to run.
    let mend: String

    init(_ problem: String, mend: String) {
        self.problem = problem
        self.mend = mend
    }
}
