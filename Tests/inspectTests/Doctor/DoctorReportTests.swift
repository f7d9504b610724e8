import Testing

@testable import ProgramTests
@testable import inspect

/// What `doctor` says of what it found.
@Suite(.timeLimit(.minutes(15))) struct DoctorReportTests {
    private static let works = DoctorCheck("the root is there", findings: [], isVital: true)
    private static let stopped = DoctorCheck(
        "the proxy answers",
        findings: [.init("no proxy", mend: "start")],
        isVital: true
    )
    private static let untrusting = DoctorCheck(
        works: ["curl trusts the root"],
        findings: [.init("Java does not", mend: "install --java"), .init("Node does not", mend: "export X")]
    )

    @Test("What works stands first, then what does not with its fix, then one conclusion")
    func lines() {
        let lines = DoctorReport(checks: [Self.works, Self.untrusting]).lines(in: .plain)
        #expect(
            lines == [
                "works  the root is there", "works  curl trusts the root", "", "Java does not", "  fix: install --java",
                "Node does not", "  fix: export X", "",
                "Capturing works, but 2 things are not as they should be; begin with: install --java",
            ]
        )
        #expect(
            DoctorReport(checks: [Self.works]).lines(in: .plain) == [
                "works  the root is there", "", "ok: what is sent through the proxy is captured",
            ]
        )
    }

    @Test("The conclusion is about what keeps everything from being captured, where something does")
    func vital() {
        let report = DoctorReport(checks: [Self.untrusting, Self.works, Self.stopped])
        #expect(report.conclusion == "Capturing does not work; begin with: start")
        #expect(report.findings.map(\.mend) == ["install --java", "export X", "start"])
        #expect(report.lines(in: .plain).last == report.conclusion)
    }
}
