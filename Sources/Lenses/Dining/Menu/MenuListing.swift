package import Traffic

/// The wanted part of one day's menus.
package struct MenuListing: Sendable {
    /// A meal with its halls.
    package struct Meal: Sendable {
        package var name: String
        package var halls: [Hall]
    }

    /// A hall that serves the meal.
    package struct Hall: Sendable {
        package var name: String
        /// Whether the hall is quick service, not a dining hall.
        package var isQuick: Bool
        /// The hall's hours; `nil` where they cannot be read.
        package var hours: DiningHours?
        /// Whether the hall serves the meal at the moment that is asked about; `nil` where the hours cannot be read.
        package var state: DiningHours.State?
        package var sections: [DiningSection]
    }

    package var day: CampusDay
    /// The exchange that holds the dining menu.
    package var capture: ExchangeID?
    /// The exchange that holds the menu of quick service; `nil` where none of that menu is listed.
    package var quickCapture: ExchangeID?
    package var meals: [Meal]
}
