/// The rules for captures of Bruin Life's database, each with what the app does where it is broken.
enum DiningRules {
    static let payload = CheckRule(
        "BL-1",
        "the Data field decodes as base64 of JSON with date, meals and foods",
        consequence: "The app drops the record and shows no menu for it."
    )
    static let date = CheckRule(
        "BL-2",
        "the payload's date is the day of the record",
        consequence: "The app shows the menu under another day than it is of."
    )
    static let names = CheckRule(
        "BL-3",
        "meals, halls and food types are ones the app knows",
        consequence: "The app has no such value and crashes on it."
    )
    static let recipes = CheckRule(
        "BL-4",
        "every food of a section is among the foods, and its places say so",
        consequence: "The food's page stays without nutrition, and favourites and reminders miss it there."
    )
    static let nutrients = CheckRule(
        "BL-5",
        "the 15 nutrients are numbers in strings",
        consequence: "The app shows 0 for them."
    )
    static let hours = CheckRule(
        "BL-6",
        "halls close after they open",
        consequence: "The app never shows the hall as open."
    )
    static let cursor = CheckRule(
        "BL-7",
        "the answer holds all records",
        consequence: "The app ignores the cursor: the records that did not fit are never fetched."
    )
    static let locale = CheckRule(
        "BL-B1",
        "the payload's date reads alike in every region",
        consequence: "A phone whose region writes dates in another order crashes on it, or takes it for another day.",
        severity: .notice
    )
    static let crash = CheckRule(
        "BL-B2",
        "nothing in the payload crashes the app",
        consequence: "The app crashes as soon as it reads the menu."
    )
    static let quarter = CheckRule(
        "BL-B3",
        "days are of the academic year 2014–15",
        consequence: "The app counts swipes by the quarter weeks of 2014–15, which may be a week off.",
        severity: .notice
    )
    static let type = CheckRule(
        "BL-B4",
        "queries and records have the type that is meant",
        consequence: "The app's fetch ignores the type it is given and always asks for DiningDay."
    )
    static let duplicate = CheckRule(
        "BL-B5",
        "a day has one record",
        consequence: "The app inserts a second DiningDay beside the one it has, and shows either."
    )
    static let measure = CheckRule(
        "BL-B6",
        "measures have no text beside the number",
        consequence: "The app's label says 0, whatever its percent says."
    )

    static let all = [
        payload, date, names, recipes, nutrients, hours, cursor, locale, crash, quarter, type, duplicate, measure,
    ]
}
