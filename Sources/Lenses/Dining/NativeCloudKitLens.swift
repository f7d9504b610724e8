import Traffic

/// CloudKit as Apple's own daemon speaks it: pinned, so that only a tunnel is seen.
package struct NativeCloudKitLens: Lens {
    package let name = "cloudkit-native"
    package let title = "CloudKit, native"

    package init() {}

    package func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool {
        guard case .host = evidence else { return false }
        return exchange.host == "gateway.icloud.com" || exchange.host.hasSuffix("-gateway.icloud.com")
    }

    package func view(_ capture: Capture) -> LensView {
        LensView(of: self, request: "A pinned connection to \(capture.exchange.host)")
    }
}
