import ArgumentParser
import Foundation
import Store
import Traffic
import Web

extension PlaceAnswers {
    /// The places as the commands have them.
    static var commands: PlaceAnswers {
        PlaceAnswers([
            .facilities, .facility, .alerts, .meetings,
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
