import ArgumentParser
import Foundation
import Lenses
import Store

/// `inspect meetings`: the meetings of a recorded answer, in the user's own week.
struct MeetingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meetings",
        abstract: "List captured virtual meetings in your time zone.",
        discussion: """
            It reads the newest answer of a meeting server to ?query, whatever its host; an answer about single meetings (ids) counts only where \
            there is no other. Without --now, --day or --search it lists all meetings that the app shows, the next one first. --day with --time \
            shows the nearest time slot, as the app's selector does. It leaves out and counts what the app hides; --hidden lists that with the \
            reasons. --limit is for the meetings that are printed; JSON has all.

            The app keeps marks of attendance on the device, so no proxy sees them. --attend sets one here, --remove takes it away, and a file beside \
            the store keeps them.

            Examples:
              inspect meetings --now
              inspect meetings --day tue --time 1900 --tz Europe/Berlin
              inspect meetings --search owls --attend 99/11
              inspect meetings --attended
              inspect meetings --day sun --slots
            """
    )

    @OptionGroup var options: MeetingOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openForReading()
        let now = Date()
        let question = try options.question(options.filter(now: now, in: store), now: now)
        let marked = try options.marked()
        let board = try PlaceProblem.told {
            // A command that finds no meeting keeps no mark.
            try question.answer(store) {
                try KeptMarks.attending(marked, not: options.unmarked(), for: store.path)
            }
        }
        try Console().write(MeetingsReport(board: board, limit: list.limit.count, marked: marked), output)
    }
}
