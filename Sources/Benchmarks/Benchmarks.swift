import ArgumentParser

/// `inspect-bench`: measures the parts of `inspect` on a release build, several rounds each, and prints every round and the median.
@main
struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect-bench",
        abstract: "Measure parts of inspect.",
        discussion:
            "Build with 'swift build -c release --product inspect-bench'. Everything stays on this machine and stops by itself.",
        subcommands: [
            WriterBenchmark.self, FillCommand.self, QueriesBenchmark.self, ClassifyBenchmark.self,
            MeetingsBenchmark.self, RecordingBenchmark.self, RulesBenchmark.self, LoopbackCommand.self,
        ]
    )
}
