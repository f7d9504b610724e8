/// A text that stands in a few exchanges of a filled store and nowhere else.
enum Needle: String, CaseIterable {
    /// In the JSON of a response, at a tenth, the half and nine tenths of the exchanges.
    case body = "kingfisher-7731"
    /// In a response that was sent as gzip, at a third and two thirds.
    case coded = "osprey-9090"
    /// The value of a response's field `X-Rare`, at a quarter.
    case header = "heron-4242"
    /// In a request's target, at three quarters.
    case target = "avocet-5150"
    /// In the JSON of a request, at a fifth.
    case request = "bittern-1212"
    /// In a message of a WebSocket, at two fifths.
    case message = "curlew-6006"

    /// Where in the store it stands, as parts of the whole.
    var parts: [Double] {
        switch self {
        case .body: [0.1, 0.5, 0.9]
        case .coded: [1.0 / 3, 2.0 / 3]
        case .header: [0.25]
        case .target: [0.75]
        case .request: [0.2]
        case .message: [0.4]
        }
    }

    /// The numbers of the exchanges that have one, among `count` from 1 on.
    static func places(in count: Int) -> [Int: Needle] {
        var places: [Int: Needle] = [:]
        for needle in allCases {
            for part in needle.parts { places[max(1, min(count, Int(Double(count) * part)))] = needle }
        }
        return places
    }
}
