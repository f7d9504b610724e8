import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect meetings`: the meetings of a recorded answer, in the week of whoever looks at them.
struct MeetingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meetings",
        abstract: "List virtual meetings from the newest recorded answer that has some, in your own time zone.",
        discussion: """
            Reads the answers of a meeting server to ?query, whatever its host; one to a
            question for single meetings (ids) only where there is no other. Without --now, --day or --search, all that the app shows, by when they come next. \
            --day with --time shows the nearest time slot, as the app's selector does. What the app hides is left out and counted; --hidden lists it with the reasons.

            Marks of attendance are the app's own and pass no proxy: --attend sets one, --unattend takes it away, and a file beside the store keeps them.

            Examples:
              inspect meetings --now
              inspect meetings --day tue --time 1900 --tz Europe/Berlin
              inspect meetings --search owls --attend 99/11
              inspect meetings --attended
              inspect meetings --day sun --slots
            """
    )

    @OptionGroup var options: MeetingOptions
    @OptionGroup var store: StoreOptions

    func run() async throws {
        let store = try store.openForReading()
        try write(to: Console(), options.filter(now: Date(), in: store), in: store)
    }
}

extension MeetingsCommand: PlaceCommand {
    func write(to console: Console, _ filter: Filter, in store: TrafficStore) throws {
        var request = try options.request(now: Date())
        let source = MeetingSource(store)
        let found = try options.fromCapture.map(source.capture) ?? source.newest(filter)
        request.attended = try options.attended(beside: store.path)
        let listing = MeetingsListing(found, request)
        if options.json {
            try console.write(MeetingsJSON(listing).bytes)
        } else {
            for line in MeetingsText(listing, console: console, limit: options.limit.count).lines {
                try console.line(line)
            }
        }
        try console.flush()
    }
}
