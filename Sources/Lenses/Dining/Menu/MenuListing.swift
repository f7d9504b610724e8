import Traffic

/// The wanted part of one day's menus.
package struct MenuListing: Sendable {
    /// A meal with its halls.
    package struct Meal: Sendable {
        package var name: String
        package var halls: [Hall]
    }

    /// A hall that serves it.
    package struct Hall: Sendable {
        package var name: String
        /// Whether it is quick service, not a dining hall.
        package var isQuick: Bool
        /// `nil` where they cannot be read.
        package var hours: DiningHours?
        /// Whether the hall serves the meal at the moment that was asked about; `nil` where its hours cannot be read.
        package var state: DiningHours.State?
        package var sections: [DiningSection]
    }

    package var day: CampusDay
    /// The exchange that the dining menu is of.
    package var capture: ExchangeID?
    /// The exchange that the menu of quick service is of, where any of it is listed.
    package var quickCapture: ExchangeID?
    package var meals: [Meal]
}
