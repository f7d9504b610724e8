@testable import Proxy

extension Fact {
    /// How many kinds there are.
    static let kindCount = 27

    /// Which kind it is; a new one does not compile here until the random tests tell it too.
    var kind: Int {
        switch self {
        case .request: 0
        case .requestBody: 1
        case .requestEnd: 2
        case .refused: 3
        case .upstreamReady: 4
        case .upstreamUnavailable: 5
        case .interim: 6
        case .response: 7
        case .responseBody: 8
        case .responseEnd: 9
        case .responsePaused: 10
        case .deadline: 11
        case .upstreamBroken: 12
        case .upstreamReset: 13
        case .clientGone: 14
        case .recorded: 15
        case .switched: 16
        case .responseRecorded: 17
        case .frames: 19
        case .upstreamOver: 20
        case .clientOver: 21
        case .stopping: 22
        case .upstreamOutdated: 23
        case .givenUp: 18
        case .clientCancelled: 24
        case .contentSent: 25
        case .blocked: 26
        }
    }
}
