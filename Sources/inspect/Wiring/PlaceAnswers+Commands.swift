import ArgumentParser
import Foundation
import Store
import Traffic
import Web

extension PlaceAnswers {
    /// The places as the commands have them.
    static var commands: PlaceAnswers {
        PlaceAnswers([
            Place(
                "facilities",
                FacilitiesCommand.self,
                PlaceArguments(
                    ["at", "tz", "campus", "category", "location", "search", "sort", "compare", "from-capture"],
                    flags: ["open-now", "closed", "open-today", "open-first", "week"]
                )
            ),
            Place("facility", FacilityCommand.self, PlaceArguments(["at", "tz", "from-capture"], positional: "slug")),
            Place(
                "alerts",
                AlertsCommand.self,
                PlaceArguments(["at", "tz", "urgency", "from-capture"], flags: ["all"])
            ),
            Place(
                "meetings",
                MeetingsCommand.self,
                PlaceArguments(
                    ["day", "time", "search", "tz", "at", "from-capture"],
                    flags: ["now", "attended", "slots", "hidden"],
                    renamed: ["kind": "type"]
                )
            ),
            Place(
                "datasets",
                DatasetsCommand.self,
                PlaceArguments(
                    [
                        "topic", "format", "division", "refresh", "issue", "search", "sort", "dataset", "facet",
                        "from-capture",
                    ],
                    flags: ["stale", "retired", "opened", "scroll", "map", "notices"],
                    renamed: ["kind": "type", "label": "tag"]
                )
            ),
            Place(
                "menus",
                MenusCommand.self,
                PlaceArguments(
                    ["day", "meal", "hall", "search", "favourite", "at", "from-capture"],
                    flags: ["open-now"],
                    renamed: ["diet": "type"]
                )
            ),
            Place("food", FoodCommand.self, PlaceArguments(["servings", "from-capture"], positional: "food")),
            Place("swipes", SwipesCommand.self, PlaceArguments(["plan", "week", "day", "meal", "at"])) {
                command,
                console,
                _ in try command.write(to: console)
            },
            Place("findings", CheckCommand.self, PlaceArguments(["rule", "limit"], flags: ["strict"])),
            compare,
        ])
    }

    /// Two exchanges, or two sets, as `inspect diff` compares them.
    ///
    /// `learn` names replays of the left exchange, whose differences are noise.
    private static var compare: Place {
        Place("compare", options: ["left", "right", "ignore", "no-default-ignore", "learn"]) { question in
            try PlaceProblem.told(inputErrors: .missing) {
                guard let left = question.first("left"), let right = question.first("right") else {
                    throw PlaceProblem("Name both sides: left and right, each an exchange or a query.")
                }
                let declared = question.options.filter { $0.name == "ignore" }.map(\.value)
                let noise: DiffNoise
                do {
                    noise = try DiffNoise(
                        declared: declared.filter { !$0.isEmpty },
                        usesStandard: ["", "true"].contains(question.first("no-default-ignore") ?? "false") == false
                    )
                } catch { throw PlaceProblem("ignore: \(error)") }
                let ids = (ExchangeID(left), ExchangeID(right))
                let selection: DiffSelection =
                    if let one = ids.0, let other = ids.1 { .pair(one, other) } else {
                        .queries(left: side(left), right: side(right))
                    }
                let store = question.store
                let sides = try DiffSides(selection, store: { store }, now: Date())
                let diff = CaptureDiff(noise: noise, scope: sides.isPair ? .pair : .sets)
                let console = Console(gathering: ())
                let report = ComparisonReport(console, form: .json, junit: nil)
                let learning = try learning(question.first("learn"), of: ids.0, diff, in: store)
                try sides.compare(try sides.places(noise), diff, learning, into: report)
                if report.isEmpty { throw InputError("nothing was compared: neither side has an exchange") }
                try report.finish()
                return console.gathered()
            }
        }
    }

    /// The query of a side that may be a number.
    private static func side(_ text: String) -> String { ExchangeID(text).map { "id:\($0)" } ?? text }

    /// What the replays that an address names teach.
    private static func learning(
        _ text: String?,
        of original: ExchangeID?,
        _ diff: CaptureDiff,
        in store: TrafficStore
    ) throws -> NoiseLearning? {
        guard let text else { return nil }
        let ids = text.split(separator: ",").compactMap { ExchangeID($0) }
        guard let original, ids.count >= 2 else {
            throw PlaceProblem("learn=\(text): expected two or more replays of the left exchange, as in 40,41")
        }
        let learning = NoiseLearning(store, diff, samples: ids.count)
        for id in ids {
            guard try ExchangeReader(store).record(id).exchange.replayOf == original else {
                throw PlaceProblem("learn=\(text): exchange \(id) is no replay of exchange \(original)")
            }
            learning.add(id, of: original)
        }
        return learning
    }
}
