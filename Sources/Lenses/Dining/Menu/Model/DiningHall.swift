/// A hall that serves a meal.
package struct DiningHall: Sendable {
    /// The dining halls, in the order of the app.
    package static let dining = ["De Neve", "Bruin Plate", "Feast", "Hedrick", "Covel"]
    /// The halls of quick service; De Neve and Hedrick are quick too, late at night.
    package static let quick = ["Cafe 1919", "Rendezvous", "Bruin Cafe"]
    package static let known = dining + quick

    package var name: String
    /// The hall's hours; `nil` where they cannot be read.
    package var hours: DiningHours?
    package var sections: [DiningSection]
}
