/// One request of a demonstration, and the status its server answers it with.
struct DemoRequest: Sendable {
    /// The app whose request it is.
    let client: DemoClient
    let method: String
    /// Absolute.
    let url: String
    var fields: [(name: String, value: String)] = []
    var body: String?
    /// What the server is known to answer.
    let status: Int

    init(
        _ client: DemoClient,
        _ method: String,
        _ url: String,
        fields: [(name: String, value: String)] = [],
        body: String? = nil,
        status: Int = 200
    ) {
        self.client = client
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.status = status
    }
}

/// One of the apps whose traffic a demonstration sends, and who edits the campus while they look.
enum DemoClient: String, Sendable, CaseIterable {
    case whatsOpenIOS = "What's Open iOS"
    case whatsOpenAndroid = "What's Open Android"
    case meetings = "Virtual Meeting Finder"
    case openData = "Toronto Open Data"
    case menus = "Bruin Life"
    case editor = "the campus's editor"

    /// How the app names itself.
    var userAgent: String {
        switch self {
        case .whatsOpenIOS: "WhatsOpen/52 CFNetwork/1568.100.1 Darwin/24.0.0"
        case .whatsOpenAndroid: "okhttp/3.14.9"
        case .meetings: "We%20Are%20Never%20Alone/1.9.2 CFNetwork/1568.100.1 Darwin/24.0.0"
        case .openData: "Denizen/1.4 CFNetwork/1568.100.1 Darwin/24.0.0"
        case .menus: "BruinLife/2.1 CFNetwork/1568.100.1 Darwin/24.0.0"
        case .editor: "inspect-demo"
        }
    }
}
