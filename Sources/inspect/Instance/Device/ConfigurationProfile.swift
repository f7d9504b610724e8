import Crypto
import Foundation
import Trust

/// The root certificate as Apple's systems take it: a configuration profile that holds it, unsigned, which its user can remove again.
struct ConfigurationProfile: Sendable {
    /// The profile, an XML property list.
    let text: String

    /// The same root makes the same profile, so that installing it again replaces it.
    init(root: RootCertificate) {
        let digest = Array(SHA256.hash(data: root.der))
        let name = MarkedSentence.escaped(root.commonName)
        let identifier =
            "inspect.root." + digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let content = Data(root.der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            <key>PayloadType</key><string>Configuration</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>\(identifier)</string>
            <key>PayloadUUID</key><string>\(Self.uuid(digest.prefix(16)))</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadDescription</key><string>Lets the inspect proxy that you run read what this device sends through it.</string>
            <key>PayloadRemovalDisallowed</key><false/>
            <key>PayloadContent</key>
            <array>
            <dict>
            <key>PayloadType</key><string>com.apple.security.root</string>
            <key>PayloadVersion</key><integer>1</integer>
            <key>PayloadIdentifier</key><string>\(identifier).certificate</string>
            <key>PayloadUUID</key><string>\(Self.uuid(digest.suffix(16)))</string>
            <key>PayloadDisplayName</key><string>\(name)</string>
            <key>PayloadCertificateFileName</key><string>inspect-root.crt</string>
            <key>PayloadContent</key>
            <data>
            \(content)
            </data>
            </dict>
            </array>
            </dict>
            </plist>

            """
    }

    /// Sixteen bytes as a UUID made of a name, version 8 (RFC 9562 §5.8).
    private static func uuid(_ bytes: some Collection<UInt8>) -> String {
        var bytes = Array(bytes)
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
