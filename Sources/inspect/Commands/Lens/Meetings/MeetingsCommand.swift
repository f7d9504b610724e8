import ArgumentParser
import Foundation
import Lenses
import Store
import Traffic

/// `inspect meetings`: the meetings of a recorded answer, in the week of whoever looks at them.
struct MeetingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meetings",
        abstract: "List captured virtual meetings in your time zone.",
        discussion: """
            It reads the newest answer of a meeting server to ?query, whatever its host; an answer about single meetings (ids) counts only where \
            there is no other. Without --now, --day or --search it lists all meetings that the app shows, the next one first. --day with --time \
            shows the nearest time slot, as the app's selector does. It leaves out and counts what the app hides; --hidden lists that with the \
            reasons.

            The app keeps marks of attendance on the device, so no proxy sees them. --attend sets one here, --unattend removes it, and a file beside \
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
