/// What a meeting is like, by key.
enum MeetingFormat {
    private static let known: [(key: String, id: Int, name: String, description: String)] = [
        ("O", 17, "Open", "Anyone may come."),
        ("C", 4, "Closed", "For members only."),
        ("HY", 54, "Hybrid", "In person and online at once."),
        ("VM", 55, "Virtual", "Online only."),
        ("BT", 3, "Basic Text", "Reads from the basic text."),
        ("ST", 27, "Step", "Talks about a step."),
        ("sub-rp", 91, "Report", "A subcommittee's report."),
        ("asm", 90, "Service", "A service committee's meeting."),
    ]

    /// A format as an object; nil for a key that is not known.
    static func json(_ key: String) -> JSON? {
        known.first { $0.key == key }.map { format in
            [
                "id": .int(format.id), "key": .string(format.key), "name": .string(format.name),
                "description": .string(format.description), "language": "en",
            ]
        }
    }
}
