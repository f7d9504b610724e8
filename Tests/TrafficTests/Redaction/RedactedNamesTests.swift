import Testing
import Traffic

@Suite("Names and looks that tell a secret", .timeLimit(.minutes(15)))
struct RedactedNamesTests {
    private static let secret = "q7Wn2Zk9Lx4Tb8Vd"

    private func masked(_ text: String) throws -> String {
        let sample = SampleExchange(
            response: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n",
            responseBody: Array(text.utf8)
        )
        let redactor = Redactor(digest: Redactor.quickDigest)
        return String(decoding: try redactor.maskedResponse(of: sample), as: UTF8.self)
    }

    @Test(
        "The value of a member with the name of a secret is masked",
        arguments: [
            "db_pass", "smtp_pass", "SMTP_PASS", "user-pass", "dbPass", "mail.pass", "newpass", "passkey", "psk",
            "device_code", "deviceCode", "hmac_key", "server_key", "stream_key", "streamKey", "ssh_key", "deploy_key",
            "storage_key", "tls.key", "privkey", "rsa_private", "otp_code", "login_code", "sign", "passwort", "senha",
            "contrasena", "contraseña", "pswd",
        ]
    )
    func names(_ name: String) throws {
        let out = try masked(#"{"\#(name)":"\#(Self.secret)","kept":1}"#)
        #expect(!out.contains(Self.secret) && out.contains(#"","kept":1}"#), "\(out)")
    }

    @Test(
        "A short value under a name that ends in the word for a password is masked",
        arguments: [
            "db_pass", "dbPass", "newpass", "device_code", "testuser_pass", "prod-db-main-pass", "ACME_PASS",
            "form[pass]",
        ]
    )
    func short(_ name: String) throws {
        let out = try masked(#"{"\#(name)":"tail99","kept":1}"#)
        #expect(!out.contains("tail99") && out.contains(#"","kept":1}"#), "\(out)")
    }

    @Test(
        "A key with the prefix of its service is masked",
        arguments: [
            "ya29.", "rk_live_", "sk_test_", "hf_", "npm_", "shpat_", "glrt-", "xapp-", "ghr_", "hvs.", "whsec_",
            "dckr_pat_",
        ]
    )
    func prefixes(_ prefix: String) throws {
        let out = try masked(#"{"x":"\#(prefix)\#(Self.secret)\#(Self.secret)","kept":1}"#)
        #expect(!out.contains(Self.secret) && out.contains(#"","kept":1}"#), "\(out)")
    }

    @Test(
        "The private members of a key in JSON are masked, wherever its type stands",
        arguments: [
            #"{"kty":"RSA","n":"abc","e":"AQAB","d":"*","p":"*","kept":1}"#,
            #"{"d":"*","x":"abc","kty":"EC","kept":1}"#, #"{"keys":[{"k":"*","kty" : "oct"}],"kept":1}"#,
            #"{"a":"{\"kty\":\"OKP\",\"d\":\"*\"}","kept":1}"#,
        ]
    )
    func webKeys(_ text: String) throws {
        let out = try masked(text.replacing("*", with: Self.secret))
        #expect(!out.contains(Self.secret) && out.contains(#""kept":1}"#), "\(out)")
    }

    @Test(
        "Ordinary members stay as they are",
        arguments: [
            #"{"d":"q7Wn2Zk9Lx4Tb8Vd","p":"q7Wn2Zk9Lx4Tb8Vd","k":"q7Wn2Zk9Lx4Tb8Vd"}"#,
            #"{"sign":"minus","encompass":"1"}"#, #"{"num_pass":12,"num_fail":3,"tests_pass":7,"totalPass":"9"}"#,
            #"{"render_pass":"shadow-2","threshold_pass":80}"#,
            #"{"storage_key":"uploads/2026/07/img_8812.png"}"#,
            #"{"bypass":"all","compass":"north","sort_key":"q7Wn2Zk9Lx4Tb8Vd"}"#, #"{"storage_key":"photos"}"#,
            #"{"a":{"kty":"RSA","n":"abc"},"d":"q7Wn2Zk9Lx4Tb8Vd"}"#, #"{"x":"npm_config_registry_20"}"#,
            #"{"public_key":"q7Wn2Zk9Lx4Tb8Vd"}"#, #"{"x":"shpat_ and hvs.x"}"#,
        ]
    )
    func plain(_ text: String) throws { #expect(try masked(text) == text) }
}
