import Lenses

extension PlaceProblem {
    /// The problem as one sentence.
    ///
    /// - Parameter option: how an option is named where the sentence is told.
    /// - Returns: the sentence, without a full stop.
    func words(_ option: (String) -> String) -> String {
        switch self {
        case .value(let name, let given, let expectation): "\(option(name)) \(given): \(expectation)"
        case .flag(let name, let given): "\(name)=\(given): expected true or false"
        case .conflict(let names):
            names.dropLast().map(option).joined(separator: ", ") + " and "
                + (names.last.map(option) ?? "") + " exclude each other; give one of them"
        case .needs(let name, let other, let example):
            "\(option(name)) goes with \(option(other)), as in \(option(other)) \(example) \(option(name))"
        case .missing(let name): "\(option(name)) is missing"
        case .timeWithoutDay: "\(option("time")) goes with a day, such as \(option("day")) tue"
        case .slotsWithoutDay: "\(option("slots")) are those of a day of the week, such as \(option("day")) tue"
        case .searchWithoutText: "\(option("day")) 8 is search; say for what with \(option("search")) TEXT"
        case .noExchange(let id): "there is no exchange \(id) in the store"
        case .notOfPlace(let id, let what):
            "exchange \(id) holds no \(what); without \(option("from-capture")) the newest that does is read"
        case .nothing(let what, let path):
            "no \(what) is captured; send a client through 'inspect start' to a server's \(path), or import a HAR"
        case .notInNewest(let what):
            "the newest exchanges hold no \(what), and older ones were not read; a query such as host:NAME narrows them"
        case .unknown(let value): value.words(option)
        case .noFacility(let name, let id, let near):
            "there is no facility “\(name)” in exchange \(id); "
                + (near.map { "did you mean \($0)?" } ?? "'inspect facilities --json' tells every slug")
        case .noCloudKit(let id): "exchange \(id) is no exchange with CloudKit's web services"
        case .noMenu(let id, let reason):
            "the answer of exchange \(id) holds no menu that can be read\(reason.map { ": \($0)" } ?? "")"
        case .noMenus(let food): "food “\(food)”: no captured answer holds menus"
        case .noFood(let food): "food “\(food)”: no captured menu has it; 'inspect menus' lists them"
        case .severalFoods(let food, let count, let named):
            "food “\(food)”: \(count) have it in their name: \(named.joined(separator: ", "))"
                + (count > named.count ? " and \(count - named.count) more" : "") + "; name one by its number"
        case .noMeetingList(let id):
            "exchange \(id) is no answer to ?query of a meeting server with its body whole"
        case .noMeetings:
            "no matching exchange is an answer to ?query of a meeting server with meetings in it; "
                + "record one, or import it with 'inspect import'"
        case .notOfPortal(let id):
            "exchange \(id) is not with the open-data portal; "
                + "'inspect datasets' without \(option("from-capture")) reads those that are"
        case .noDataset(let name, let near):
            "the captures show no dataset '\(name)'; "
                + (near.map { "did you mean '\($0)'?" } ?? "'inspect datasets' lists those they show")
        case .noQuarter(let day):
            "\(day.text) is in no quarter of the app's calendar; name the week with \(option("week")) 0 to 10"
        }
    }
}
