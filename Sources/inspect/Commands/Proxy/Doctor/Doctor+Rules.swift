import NIOCore
import Traffic

extension Doctor {
    /// Says which rules of the running proxy change traffic, and finds that their files have mistakes; `nil` where there are neither.
    func rules(_ running: InstanceFile) async -> DoctorCheck? {
        guard let list = try? await RunningRuleList(of: running, within: .seconds(5)).list() else { return nil }
        let names = list.namesOn
        let works = names.map { "\(list.sentence) and change traffic: \(VisibleText.line($0))" }
        guard let problem = list.problems.first else {
            return works.map { DoctorCheck($0, findings: []) }
        }
        let mistakes = list.problems.count.counted("mistake")
        let finding = DoctorFinding(
            "the rules' files have \(mistakes) now, so the rules of before hold: \(VisibleText.line(problem))",
            mend: command("rules")
        )
        return DoctorCheck(works: [works].compactMap { $0 }, findings: [finding])
    }
}
