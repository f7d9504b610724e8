import Testing
import Traffic

@Suite("How an exchange goes wrong", .timeLimit(.minutes(15)))
struct FailureKindTests {
    @Test(
        "One word each for no answer, an answer that is cut off, and an error status",
        arguments: [
            (.failed, nil, .noAnswer), (.failed, 200, .cutOff), (.failed, 500, .cutOff),
            (.completed, 400, .errorStatus), (.completed, 599, .errorStatus), (.completed, 399, nil),
            (.completed, nil, nil), (.cancelled, nil, nil), (.cancelled, 500, nil), (.pending, 500, nil),
            (.tunnelled, nil, nil),
        ] as [(Outcome, Int?, FailureKind?)]
    )
    func kinds(outcome: Outcome, code: Int?, kind: FailureKind?) {
        #expect(FailureKind(outcome, code: code) == kind)
    }

    @Test("Category, strip and figures count the same exchanges under the same word")
    func counts() {
        var figures = TrafficFigures()
        var (outcomes, codes): ([String: Int], [String: Int]) = ([:], [:])
        var strip = TimeStrip(from: 0, to: 1_000, slots: 1)
        let ends: [(Outcome, Int?)] = [
            (.failed, nil), (.failed, nil), (.failed, nil), (.failed, 200), (.failed, 503), (.completed, 404),
            (.completed, 500), (.completed, 500), (.completed, 200), (.cancelled, 200), (.cancelled, nil),
        ]
        for (outcome, code) in ends {
            var row = SampleExchange(1, code: code).exchange.summary
            (row.outcome, row.code) = (outcome, code)
            figures.add(row)
            outcomes[Facet.outcome.value(row), default: 0] += 1
            codes[Facet.code.label(Facet.code.value(row)), default: 0] += 1
            strip.add(started: 0, StripKind(outcome, code: code))
        }
        #expect(figures.failed == 5 && outcomes["failed"] == 5 && strip[.failed] == [5])
        #expect(figures.count(.noAnswer) == 3 && codes["no-answer"] == 3 && codes["failed"] == nil)
        let errors = strip[.clientError][0] + strip[.serverError][0]
        #expect(figures.count(.errorStatus) == 3 && errors == 3)
        #expect(figures.cancelled == 2 && outcomes["cancelled"] == 2 && strip[.cancelled] == [2])
    }
}
