/// The rules for answers of the meeting server, and the known bugs of its app that answers bring out.
enum MeetingRules {
    static let meta = CheckRule(
        "VM-1",
        "meta has its seven numbers, and they agree with the meetings",
        consequence: "the app cannot read the answer and shows that there was an error fetching the data"
    )
    static let hidden = CheckRule(
        "VM-2",
        "the app shows every meeting as it was told",
        consequence: "the app leaves these meetings out without a word"
    )
    static let zone = CheckRule(
        "VM-3",
        "time_zone is a zone of the IANA database",
        consequence: "nobody can tell when the meeting is, so the app leaves it out"
    )
    static let time = CheckRule(
        "VM-4",
        "weekday is 1 to 7 and start_time HH:MM:SS",
        consequence: "nobody can tell when the meeting is, so the app leaves it out"
    )
    static let link = CheckRule(
        "VM-5",
        "url is a web address, and of a service that has an app it names the meeting",
        consequence: "the meeting cannot be joined by its button"
    )
    static let duplicate = CheckRule(
        "VM-6",
        "no two meetings have the same server_id and meeting_id",
        consequence: "one of them takes the other's \"I Attend\" mark, and both stand in the list"
    )
    static let duration = CheckRule(
        "VM-7",
        "duration is more than 0 and less than a day",
        consequence: "the meeting is never, or for an hour only, in progress",
        severity: .notice
    )
    static let type = CheckRule(
        "VM-8",
        "type is 0, 1, 2, 3, -1, -2 or -3",
        consequence: "the server takes it for something else than was meant"
    )
    static let slow = CheckRule(
        "VM-9",
        "the answer is there within the app's 30 s",
        consequence: "the app gave up waiting and showed that there was an error fetching the data"
    )
    static let altered = CheckRule(
        "VM-10",
        "the app shows names and addresses as they were told",
        consequence: "the app shows these meetings otherwise than they were told",
        severity: .notice
    )

    static let v1 = CheckRule(
        "VM-V1",
        "an answer without meetings is read as one",
        consequence: "the app shows an error where there is simply no meeting"
    )
    static let v2 = CheckRule(
        "VM-V2",
        "a time past the day's last slot leads to the last slot",
        consequence: "the app jumps to the first meetings of the day",
        severity: .notice
    )
    static let v3 = CheckRule(
        "VM-V3",
        "the nearest slot is the nearest by minutes",
        consequence: "the app picks a slot that is farther away",
        severity: .notice
    )
    static let v4 = CheckRule(
        "VM-V4",
        "type 1 and -1 mean what the server's documentation says: hybrid",
        consequence: "whoever asks by the documentation gets meetings that are not hybrid",
        severity: .notice
    )
    static let v5 = CheckRule(
        "VM-V5",
        "the page of an answer in one piece is 1, as the documentation says",
        consequence: "whoever counts pages by the documentation takes the first page for one before it",
        severity: .notice
    )
    static let v6 = CheckRule(
        "VM-V6",
        "a search has a centre that somebody meant",
        consequence: "all distances are counted from 0° N 0° E, in the sea off Africa",
        severity: .notice
    )
    static let v7 = CheckRule(
        "VM-V7",
        "a meeting that ends is not in progress any more",
        consequence: "at its last second the app shows it in progress in one place and not in another",
        severity: .notice
    )

    static let all = [
        meta, hidden, zone, time, link, duplicate, duration, type, slow, altered, v1, v2, v3, v4, v5, v6, v7,
    ]
}
