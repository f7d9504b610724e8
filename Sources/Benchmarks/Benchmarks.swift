import ArgumentParser

@main struct Benchmarks: AsyncParsableCommand {
    func run() async throws {}
}
