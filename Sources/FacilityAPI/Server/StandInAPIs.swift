/// The stood-in servers side by side, each with its own data.
struct StandInAPIs: Sendable {
    private let whatsOpen: WhatsOpenAPI
    private let meetings: MeetingsAPI
    private let openData: OpenDataAPI
    private let cloudKit: CloudKitAPI

    /// Builds every API's data for the instant the clock shows.
    init(configuration: FacilityAPIConfiguration) throws {
        let now = configuration.clock()
        whatsOpen = try WhatsOpenAPI(configuration: configuration, now: now)
        meetings = MeetingsAPI(now: now)
        openData = try OpenDataAPI(now: now)
        cloudKit = try CloudKitAPI(now: now)
    }

    /// The honest answer of the API a request belongs to.
    func answer(to request: IncomingRequest, family: APIFamily) async -> Answer {
        switch family {
        case .whatsOpen: await whatsOpen.answer(to: request)
        case .meetings: meetings.answer(to: request)
        case .openData: openData.answer(to: request)
        case .notices: NoticesAPI.answer(to: request)
        case .cloudKit: cloudKit.answer(to: request)
        case .none: WhatsOpenErrors.unknownPath(request.path)
        }
    }
}
