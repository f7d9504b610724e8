/// An app whose traffic a demonstration sends, or the editor who changes the campus meanwhile.
enum DemoClient: String, Sendable, CaseIterable {
    case whatsOpenIOS = "What's Open iOS"
    case whatsOpenAndroid = "What's Open Android"
    case meetings = "Virtual Meeting Finder"
    case openData = "Toronto Open Data"
    case menus = "Bruin Life"
    case editor = "the campus's editor"

    /// The `User-Agent` of its requests.
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
