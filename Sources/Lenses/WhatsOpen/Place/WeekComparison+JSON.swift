import Traffic

extension WeekComparison {
    /// Writes the minutes that a client is wrong, and why, as a member `week`.
    func write(_ clock: CampusClock, to json: inout JSONWriter) {
        json.object("week") { json in
            json.integer("minutesWrong", minutesWrong)
            json.string("crash", crash?.rawValue)
            json.objects("stretches", stretches) { stretch, json in
                json.string("start", clock.timestamp(stretch.start))
                json.integer("minutes", stretch.minutes)
                json.string("says", stretch.says.rawValue)
                json.string("bug", stretch.bug.rawValue)
            }
            json.objects("causes", causes) { cause, json in
                json.string("bug", cause.bug.rawValue)
                json.integer("minutes", cause.minutes)
                json.string("sentence", cause.bug.sentence)
            }
        }
    }
}
