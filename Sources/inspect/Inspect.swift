import ArgumentParser
import AsyncHTTPClient

@main struct Inspect: AsyncParsableCommand {
    func run() async throws {}
}
