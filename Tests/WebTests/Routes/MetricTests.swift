import Testing
import Web

@Suite("Measurements in Prometheus' text format", .timeLimit(.minutes(15)))
struct MetricTests {
    @Test("A family has its help, its type and its samples, with what would end a line or a label escaped")
    func text() {
        let metrics = [
            Metric("a_total", .counter, "Back\\slash and\nline.", 3),
            Metric(
                "b",
                .gauge,
                "B.",
                [.init(0.5, labels: [("x", "say \"hi\"\\\n"), ("y", "a\"\u{301}")]), .init(.infinity), .init(1e15)]
            ),
            Metric("c", .histogram, "C.", [.init(1, suffix: "_bucket", labels: [("le", "+Inf")])]),
            Metric("d", .counter, "Nothing yet.", []),
        ]
        #expect(
            Metric.text(metrics) == """
                # HELP a_total Back\\\\slash and\\nline.
                # TYPE a_total counter
                a_total 3
                # HELP b B.
                # TYPE b gauge
                b{x="say \\"hi\\"\\\\\\n",y="a\\"\u{301}"} 0.5
                b +Inf
                b 1000000000000000
                # HELP c C.
                # TYPE c histogram
                c_bucket{le="+Inf"} 1
                # HELP d Nothing yet.
                # TYPE d counter

                """
        )
    }
}
