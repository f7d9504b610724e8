import Foundation

/// The stood-in servers side by side, each with its own data.
struct StandInAPIs: Sendable {
    /// The desk that takes changes to the data.
    let desk: ChangeDesk

    private let administration: AdministrationAPI
    private let whatsOpen: WhatsOpenAPI
    private let meetings: MeetingsAPI
    private let openData: OpenDataAPI
    private let cloudKit: CloudKitAPI

    /// Builds every API's data for the instant the clock shows.
    init(configuration: FacilityAPIConfiguration) throws {
        // Cut to the minute, so that a server that is restarted at the same time has the same data.
        let minute = (configuration.clock().timeIntervalSince1970 / 60).rounded(.down)
        let now = Date(timeIntervalSince1970: minute * 60)
        let time = try WallTime(zone: "America/New_York")
        let records = WhatsOpenRecords(try CampusSeed(time: time, now: now).catalogue())
        desk = ChangeDesk(records: records)
        administration = AdministrationAPI(desk: desk)
        whatsOpen = try WhatsOpenAPI(configuration: configuration, time: time, records: records)
        meetings = MeetingsAPI(now: now)
        openData = try OpenDataAPI(now: now, isRecent: configuration.isCKANRecent)
        cloudKit = try CloudKitAPI(now: now)
    }

    /// The honest answer of the API a request belongs to.
    func answer(to request: IncomingRequest, family: APIFamily) async -> Answer {
        let answer =
            switch family {
            case .administration: await administration.answer(to: request)
            case .whatsOpen: await whatsOpen.answer(to: request)
            case .meetings: await meetings.answer(to: request)
            case .openData: openData.answer(to: request)
            case .notices: NoticesAPI.answer(to: request)
            case .cloudKit: await cloudKit.answer(to: request)
            case .none: WhatsOpenErrors.unknownPath(request.path)
            }
        // What's Open applies alterations to its rows itself, before it makes a validator of them.
        return family == .whatsOpen ? answer : request.alterations.applied(to: answer, path: request.path)
    }
}
