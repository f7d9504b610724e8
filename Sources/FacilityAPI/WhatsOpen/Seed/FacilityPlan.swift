/// A facility as a seed writes it.
struct FacilityPlan: Sendable {
    let slug: String
    let name: String
    let building: String
    let address: String
    let kindID: Int
    let week: [WeekEntry]
    var isTwentyFourHours = false
    var specials: [SpecialPlan] = []
    var tags: [String] = []
    var phone = ""
    var classifier = ""
    var tapingo: Int?
    var note = ""
    var season = "Fall / Spring Hours"
}
