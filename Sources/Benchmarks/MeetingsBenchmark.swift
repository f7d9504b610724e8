import ArgumentParser
import Foundation
import Lenses
import Traffic

/// `inspect-bench meetings`: how long an answer with very many meetings takes to be read and placed in a week.
struct MeetingsBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meetings",
        abstract: "Read an answer of a whole meeting server, and place its meetings in a viewer's week.",
        discussion:
            "The same count gives the same answer. With --output it is written to a file too, to be served and recorded."
    )

    @Option(help: "Meetings.")
    var count: Int = 35_000

    @Option(help: "Rounds.")
    var rounds: Int = 5

    @Option(name: [.short, .long], help: ArgumentHelp("Where the answer is written.", valueName: "file"))
    var output: String?

    mutating func validate() throws {
        guard count > 0, rounds > 0 else { throw ValidationError("--count and --rounds must be above 0") }
    }

    func run() throws {
        let bytes = MeetingsAnswerText.bytes(count: count)
        if let output { try Data(bytes).write(to: URL(filePath: output)) }
        print("\(count) meetings in \(bytes.count) bytes")
        let zone = TimeZone(identifier: "America/New_York") ?? .gmt
        let clock = ContinuousClock()
        for round in 1...rounds {
            var list: MeetingList?
            let reading = try clock.measure { list = try MeetingList(CapturedBody(bytes: bytes)) }
            guard let list else { throw ValidationError("the answer could not be read") }
            var hidden = 0
            let placing = clock.measure {
                let table = MeetingTimetable(list.meetings, now: Date(), zone: zone)
                hidden = table.hiddenCount
                _ = table.upcoming
            }
            print("round \(round): read in \(reading), placed and sorted in \(placing), \(hidden) hidden")
        }
    }
}
