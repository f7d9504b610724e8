import Foundation
import Lenses
import Traffic

/// One facility of those captured: found by its slug or name, as lines and as JSON.
struct FacilityPage {
    private let explanation: FacilityExplanation
    private let row: FacilityRow
    private let source: WhatsOpenReader.Found<Facility>

    /// Finds a facility and works it out.
    ///
    /// - Throws: `InputError` naming those that come nearest.
    init(_ name: String, in source: WhatsOpenReader.Found<Facility>, at now: Date, clock: CampusClock) throws {
        let folded = name.lowercased()
        let facility =
            source.elements.first { $0.slug == name }
            ?? source.elements.first { $0.slug.lowercased() == folded || $0.name.lowercased() == folded }
        guard let facility else {
            let slugs = source.elements.map(\.slug)
            let near = slugs.filter { $0.contains(folded) }.sorted().prefix(3).joined(separator: ", ")
            let guess = near.isEmpty ? EditDistance.nearest(to: folded, in: slugs) : near
            throw InputError(
                "there is no facility “\(name)” in exchange \(source.id); \(guess.map { "did you mean \($0)?" } ?? "'inspect facilities --json' tells every slug")"
            )
        }
        self.source = source
        explanation = FacilityExplanation(facility, at: now, clock: clock)
        row = FacilityRow(facility, at: now, clock: clock, clients: HoursClient.allCases, isWeekly: true)
    }

    /// The lines to print; with `isWhole` the reasons, the week and the clients too.
    func lines(_ console: Console, isWhole: Bool) -> [String] {
        let printer = LensViewPrinter(console)
        let sections = explanation.sections()
        let shown =
            isWhole ? sections : sections.filter { [explanation.facility.title, "Warnings"].contains($0.title) }
        var lines = shown.flatMap { printer.lines($0) + [""] }
        if isWhole, row.isDisputed { lines.append(console.style.paint("The clients disagree about it now", .yellow)) }
        let moment = explanation.clock.full(source.moment)
        return lines + [console.style.paint("from exchange \(source.id), \(moment)", .dim)]
    }

    /// One object: the row of a listing, with what the clients say and why it is so.
    var json: [UInt8] {
        var json = JSONWriter()
        let clock = explanation.clock
        json.object { json in
            json.string("at", clock.timestamp(explanation.now))
            json.string("zone", clock.zone.identifier)
            json.integer("exchange", source.id)
            json.string("captured", clock.timestamp(source.moment))
            FacilityListing.write(explanation.facility, explanation.status, clock, to: &json)
            json.array("why") { json in
                for field in explanation.reasons {
                    json.object { json in
                        json.string("name", field.name)
                        json.string("text", field.value.text)
                    }
                }
            }
            json.object("interval") { json in
                json.string("start", explanation.status.interval.map { clock.timestamp($0.start) })
                json.string("end", explanation.status.interval.map { clock.timestamp($0.end) })
            }
            json.boolean("disputed", row.isDisputed)
            json.array("compare") { json in
                for (entry, week) in zip(row.verdicts, row.weeks) {
                    json.object { json in
                        json.string("client", entry.client.rawValue)
                        json.string("says", entry.verdict.answer.rawValue)
                        json.boolean("isRight", row.isRight(entry.verdict))
                        json.string("text", entry.verdict.text)
                        json.string("bug", entry.verdict.bug?.rawValue)
                        FacilityListing.write(week, clock, to: &json)
                    }
                }
            }
        }
        json.newline()
        return json.take()
    }
}
