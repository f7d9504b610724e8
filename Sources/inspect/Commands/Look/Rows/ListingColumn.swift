/// A column of a listing.
enum ListingColumn {
    case id
    /// Day and time of day of the start.
    case moment
    /// The time of day of the start.
    case clock
    case code, method, type
    /// The code with a short word for the type, or the outcome of what has no code.
    case response
    case size, duration
    /// The whole URL.
    case url
    /// The path, then the host.
    case address

    /// What stands above it.
    var heading: String {
        switch self {
        case .id: "ID"
        case .moment, .clock: "STARTED"
        case .code: "CODE"
        case .method: "METHOD"
        case .type: "TYPE"
        case .response: "RESPONSE"
        case .size: "SIZE"
        case .duration: "TIME"
        case .url: "URL"
        case .address: "PATH AND HOST"
        }
    }

    /// Whether it is set flush right: numbers.
    var isRight: Bool { [.id, .size, .duration].contains(self) }
}
