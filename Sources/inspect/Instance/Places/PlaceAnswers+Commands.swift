import Web

extension PlaceAnswers {
    /// The places as the commands have them.
    static var commands: PlaceAnswers {
        PlaceAnswers([.facilities, .facility, .alerts, .meetings, .datasets, .menus, .food, .swipes, manual])
    }
}
