/// The rules for the portal's answers and the app's requests.
enum CKANRule {
    private static let nothing = "the app shows No Data"

    static let envelope = CheckRule(
        "CK-1",
        "an answer is an object with help, success and result or error",
        consequence: nothing
    )
    static let success = CheckRule(
        "CK-2",
        "success agrees with the status",
        consequence: "the app goes by the status alone, other clients by success: they disagree about what happened"
    )
    static let error = CheckRule(
        "CK-3",
        "an error says its __type, which goes with the status",
        consequence: "a client cannot tell a missing dataset from a mistake of its own"
    )
    static let shape = CheckRule("CK-4", "the result has the shape of its action", consequence: nothing)
    static let package = CheckRule(
        "CK-5",
        "a dataset has an id, a name and a title",
        consequence: "the app leaves it out, or cannot open, share or keep it"
    )
    static let dates = CheckRule(
        "CK-6",
        "dates are YYYY-MM-DDTHH:MM:SS.ffffff in UTC, without a zone",
        consequence: "the app shows no date"
    )
    static let formats = CheckRule(
        "CK-7",
        "a dataset with resources lists its formats",
        consequence: "the Format filter never finds it"
    )
    static let address = CheckRule(
        "CK-8",
        "a resource has an address that can be opened",
        consequence: "the app has nothing to open or download"
    )
    static let licence = CheckRule(
        "CK-9",
        "a dataset names its licence",
        consequence: "the app's License menu cannot say what one may do with it",
        severity: .notice
    )
    static let retired = CheckRule(
        "CK-10",
        "a dataset that is shown is not retired",
        consequence: "the app shows it like any other, though nobody renews it",
        severity: .notice
    )
    static let stale = CheckRule(
        "CK-11",
        "content is as new as its refresh rate promises",
        consequence: "people read it as current",
        severity: .notice
    )
    static let refresh = CheckRule(
        "CK-12",
        "the refresh rate is one of the portal's words",
        consequence: "nobody can tell whether the content is stale",
        severity: .notice
    )
    static let counts = CheckRule(
        "CK-13",
        "num_resources and num_tags count what is there",
        consequence: "a reader that goes by the number stops early or waits for more"
    )
    static let found = CheckRule(
        "CK-14",
        "count, start, rows and results agree",
        consequence: "an endless list stops early or asks for ever more"
    )
    static let facets = CheckRule(
        "CK-15",
        "facets and search_facets count the same",
        consequence: "the number beside a topic differs from what a tap on it gives"
    )
    static let records = CheckRule(
        "CK-16",
        "records keep to limit and total, and have no field that is not declared",
        consequence: "the app's table has values without a heading, or rows that should not be there"
    )
    static let page = CheckRule(
        "CK-17",
        "a page of changes is no longer than its limit, newest first, nothing twice",
        consequence: "the endless list repeats rows or jumps"
    )
    static let change = CheckRule(
        "CK-18",
        "a change names its dataset, its time, and holds the package",
        consequence: "the home list leaves the row out"
    )
    static let kinds = CheckRule(
        "CK-19",
        "formats, topics and civic_issues are lists, is_retired is true or false",
        consequence: "a client that knows only the one kind shows the field as empty",
        severity: .notice
    )
    static let answered = CheckRule("CK-20", "the portal answers", consequence: nothing)
    static let accepted = CheckRule("CK-21", "the portal accepts the call", consequence: nothing)
    static let wholeMap = CheckRule(
        "CK-22",
        "the map has all rows of its resource",
        consequence: "the map leaves out what was not asked for, without saying so",
        severity: .notice
    )
    static let notices = CheckRule(
        "CK-23",
        "Records is a list of notices, each with noticeId and title",
        consequence: nothing
    )
    static let noticePage = CheckRule(
        "CK-24",
        "a notice's page is there, as HTML",
        consequence: "the app opens an empty page"
    )

    static let order = CheckRule(
        "CK-C1",
        "the order stands in sort, not inside fq",
        consequence: "the portal looks for its words, usually finds nothing, and orders nothing"
    )
    static let tag = CheckRule(
        "CK-C2",
        "a tag of several words stands in quotes",
        consequence: "only the first word is the tag, the others are searched for: usually nothing is found"
    )
    static let pins = CheckRule(
        "CK-C3",
        "rows on a map are points",
        consequence: "the app's map reads the text from the first [ to the first ], which fits a Point only: no pins"
    )
    static let title = CheckRule(
        "CK-C4",
        "datasets are told apart by name or id, not by title",
        consequence: "history finds nothing, and a favourite of that title opens whichever comes first"
    )
    static let ignored = CheckRule(
        "CK-C5",
        "a refusal has a status that says so",
        consequence: "the app ignores success:false, reads the refusal as an answer and shows No Data"
    )
    static let missingPage = CheckRule(
        "CK-C6",
        "a dataset that is not there is answered in JSON",
        consequence: "the app gets an HTML page and shows No Data instead of saying that the dataset is gone"
    )
    static let plain = CheckRule(
        "CK-C7",
        "notices are asked for over https",
        consequence:
            "App Transport Security refuses the call unless the app makes an exception; anybody on the way can read and change it"
    )
    static let activities = CheckRule(
        "CK-C8",
        "the list of recent changes exists",
        consequence: "the app's home is empty: CKAN 2.10 and later moved activities to a plugin"
    )

    /// The rules of the action API.
    static let all = [
        envelope, success, error, shape, package, dates, formats, address, licence, retired, stale, refresh, counts,
        found,
        facets, records, page, change, kinds, answered, accepted, wholeMap, order, tag, pins, title, ignored,
        missingPage,
        activities,
    ]

    /// The rules of the notices.
    static let allOfNotices = [answered, notices, noticePage, plain]
}
