import ArgumentParser
import Foundation
import Store
import Traffic
import Web

extension PlaceAnswers {
    /// The places as the commands have them.
    static var commands: PlaceAnswers {
        PlaceAnswers([
            .facilities, .facility, .alerts,
            Place(
                "meetings",
                MeetingsCommand.self,
                PlaceArguments(
                    ["day", "time", "search", "tz", "at", "from-capture"],
                    flags: ["now", "attended", "slots", "hidden"],
                    renamed: ["kind": "type"]
                ),
                mark: { names, store in
                    try PlaceProblem.told(inputErrors: .question) {
                        try MeetingOptions.keep(attending: names.add, not: names.remove, beside: store.path).count
                    }
                }
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
            .menus, .food, .swipes,
            manual,
        ])
    }
}
