package import Traffic

/// Why a question to a place cannot be read, or why nothing answers it.
///
/// A case holds what a sentence needs and names no command: the program words it for the command line and for the page,
/// which name options differently.
package enum PlaceProblem: Error, Sendable, Equatable {
    /// An option's value cannot be read; `expectation` says what was expected.
    case value(option: String, given: String, expectation: String)
    /// A flag has a value that is neither true nor false.
    case flag(option: String, given: String)
    /// More than one is given of options that exclude each other.
    case conflict([String])
    /// An option is given without the other that it needs; `example` is a value of the other.
    case needs(option: String, other: String, example: String)
    /// An option is not given without which the place has nothing to show.
    case missing(option: String)
    /// A time of the day is asked for, and no day of the week.
    case timeWithoutDay
    /// Time slots are asked for, and the day that is given is no day of the week.
    case slotsWithoutDay
    /// The app's day selector is put to search, and no text is given.
    case searchWithoutText
    /// The store has no exchange of this number.
    case noExchange(ExchangeID)
    /// An exchange holds nothing of the kind that was asked for.
    case notOfPlace(ExchangeID, what: String)
    /// No capture holds what was asked for; a server answers it at `path`.
    case nothing(what: String, path: String)
    /// The exchanges that were read hold nothing of what was asked for, and `PlaceBound` left older ones unread.
    case notInNewest(what: String)
    /// A wanted value is in no capture.
    case unknown(UnknownValue)
    /// A list has no facility of this slug or name.
    case noFacility(String, in: ExchangeID, near: String?)
    /// An exchange is not with CloudKit's web services.
    case noCloudKit(ExchangeID)
    /// The answer of an exchange holds no menu that can be read; `reason` is what is wrong with the first menu.
    case noMenu(ExchangeID, reason: String?)
    /// A food is looked for where no capture holds a menu.
    case noMenus(food: String)
    /// No captured menu has a food.
    case noFood(String)
    /// A text is in the names of several foods, of which the first are named: `059101 Oatmeal`.
    case severalFoods(String, count: Int, named: [String])
    /// An exchange is no answer with a list of meetings.
    case noMeetingList(ExchangeID)
    /// No capture holds a meeting.
    case noMeetings
    /// An exchange is not with the open-data portal.
    case notOfPortal(ExchangeID)
    /// The captures show no dataset of a name.
    case noDataset(String, near: String?)
    /// A day is in no quarter of the dining app's calendar.
    case noQuarter(CampusDay)

    /// Whether the question itself is at fault, whatever the captures hold.
    package var isOfQuestion: Bool {
        switch self {
        case .value, .flag, .conflict, .needs, .missing, .timeWithoutDay, .slotsWithoutDay, .searchWithoutText: true
        case .noExchange, .notOfPlace, .nothing, .notInNewest, .unknown, .noFacility, .noCloudKit, .noMenu, .noMenus,
            .noFood, .severalFoods, .noQuarter, .noMeetingList, .noMeetings, .notOfPortal, .noDataset:
            false
        }
    }
}
