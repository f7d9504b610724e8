import Proxy

extension ProxyStartError: AdvisedError {
    var advice: String {
        switch self {
        case .keyLog: "; name another file with --key-log"
        case .upstreamRoots: "; give a file that holds at least one with --upstream-ca"
        case .clientCertificate: "; give a PEM file with the chain and its unencrypted key with --client-certificate"
        case .portInUse(_, let isListed):
            "; choose another port with \(isListed ? "--listen-mode" : "--port"), or port 0 for any"
        case .portForbidden(_, let isListed):
            "; choose a port above 1023 with \(isListed ? "--listen-mode" : "--port")"
        case .foreignAddress(_, let isListed): "; choose another with \(isListed ? "--listen-mode" : "--listen")"
        case .listening, .notTransparent, .stopped: ""
        }
    }
}
