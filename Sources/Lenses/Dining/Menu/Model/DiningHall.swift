/// A hall that serves a meal.
package struct DiningHall: Sendable {
    /// Dining halls, as the app lists them.
    package static let dining = ["De Neve", "Bruin Plate", "Feast", "Hedrick", "Covel"]
    /// Quick service; De Neve and Hedrick are quick too, late at night.
    package static let quick = ["Cafe 1919", "Rendezvous", "Bruin Cafe"]
    package static let known = dining + quick

    package var name: String
    /// `nil` where they cannot be read.
    package var hours: DiningHours?
    package var sections: [DiningSection]
}
