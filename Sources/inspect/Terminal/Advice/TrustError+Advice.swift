import Trust

extension TrustError: AdvisedError {
    var advice: String {
        switch self {
        case .unusable: " Fix that, or choose another place with --ca-directory."
        case .foreign: " Run this as that user, or choose another place with --ca-directory."
        case .openToOthers, .corrupt, .mismatch, .missing, .expired, .notYetValid, .busy, .invalidName, .unsignable: ""
        }
    }
}
