import Foundation
import Support

/// Servers' certificates that no client may take, each wrong in one way, made anew with openssl; and some odd ones that are right.
///
/// All but those that are wrong in their names are for `localhost`; each also names `theirs.example.test`, which must turn up nowhere of ours.
final class BadCertificates: Sendable {
    /// One of them.
    struct Kind: Sendable, CustomStringConvertible {
        let name: String
        /// Words of the record's failure; `nil` for one that is right.
        let cause: String?
        var description: String { name }
    }

    static let bad: [Kind] = [
        Kind(name: "common-name-only", cause: "certificate-name"),
        Kind(name: "other-address", cause: "certificate-name"),
        Kind(name: "address-only", cause: "certificate-name"),
        Kind(name: "wildcard-everything", cause: "certificate-name"),
        Kind(name: "wildcard-two", cause: "certificate-name"),
        Kind(name: "wildcard-partial", cause: "certificate-name"),
        Kind(name: "nul-in-name", cause: "certificate-name"),
        Kind(name: "punycode", cause: "certificate-name"),
        Kind(name: "other-name", cause: "certificate-name"),
        Kind(name: "email-and-uri", cause: "certificate-name"),
        Kind(name: "ten-thousand-names", cause: ""),
        Kind(name: "missing-intermediate", cause: "certificate-unknown-issuer"),
        Kind(name: "wrong-use", cause: "certificate"),
        Kind(name: "issuer-is-no-authority", cause: "certificate"),
        Kind(name: "issuer-may-not-sign", cause: "certificate"),
        Kind(name: "path-too-long", cause: "certificate"),
        Kind(name: "name-constraints", cause: "certificate"),
        Kind(name: "sha1", cause: "certificate"),
        Kind(name: "md5", cause: "certificate"),
        Kind(name: "rsa-1024", cause: "certificate-weak"),
        Kind(name: "bad-signature", cause: "certificate"),
        Kind(name: "unknown-critical-extension", cause: "certificate"),
        Kind(name: "huge-chain", cause: ""),
        Kind(name: "version-one", cause: "certificate"),
        Kind(name: "must-staple", cause: "certificate-must-staple"),
        Kind(name: "must-staple-v2", cause: "certificate-must-staple"),
        Kind(name: "must-staple-critical", cause: "certificate"),
    ]

    static let right: [Kind] = [
        Kind(name: "fine", cause: nil), Kind(name: "intermediate", cause: nil), Kind(name: "rsa-2048", cause: nil),
        // Features that ask for nothing of ours.
        Kind(name: "other-feature", cause: nil),
        // 200 names, as large sites have.
        Kind(name: "many-names", cause: nil),
    ]

    /// The root, as PEM.
    let rootsPEM: String
    private let directory: TemporaryDirectory

    init() async throws {
        let directory = try TemporaryDirectory()
        self.directory = directory
        let result = try await CommandLineTool.run("/bin/sh", ["-c", Self.script, "sh", directory.path])
        guard result.status == 0 else { throw Refused(reason: result.errors + result.output) }
        rootsPEM = String(decoding: try directory.read("root.pem"), as: UTF8.self)
    }

    /// The files of a server that shows one of them.
    func server(_ kind: Kind) -> LoopbackOrigin.TLS {
        LoopbackOrigin.TLS(
            certificateFile: directory.file("\(kind.name)-chain.pem"),
            keyFile: directory.file("\(kind.name)-key.pem")
        )
    }

    /// openssl would not.
    struct Refused: Error {
        let reason: String
    }

    private static let script = #"""
        set -eu
        cd "$1"
        exec 2>log
        trap 'cat log >&1' EXIT
        ec() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1-key.pem"; }
        rsa() { openssl genrsa -out "$1-key.pem" "$2"; }
        # sign NAME SUBJECT EXTENSIONS SIGNER [OPTION...]: a certificate for NAME's key.
        sign() {
            name=$1 subject=$2 extensions=$3 signer=$4
            shift 4
            printf '%b\n' "$extensions" >"$name.ext"
            openssl req -new -key "$name-key.pem" -subj "$subject" -out "$name.csr"
            openssl x509 -req -in "$name.csr" -CA "$signer.pem" -CAkey "$signer-key.pem" -CAcreateserial -days 9 \
                -extfile "$name.ext" -out "$name.pem" "$@"
            cp "$name.pem" "$name-chain.pem"
        }
        self() {
            openssl req -x509 -new -key "$1-key.pem" -subj "$2" -days 9 -addext "basicConstraints=critical,CA:TRUE$3" \
                -addext keyUsage=critical,keyCertSign,cRLSign -out "$1.pem"
        }
        ec root; self root '/CN=Their root' ''
        theirs='/CN=theirs.example.test'
        use='basicConstraints=critical,CA:FALSE\nextendedKeyUsage=serverAuth'
        authority='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign'
        names='subjectAltName=DNS:localhost,DNS:theirs.example.test'
        leaf() { ec "$1"; sign "$1" "$theirs" "$use\n$2" root; }
        under() { cat "$1.pem" "$2.pem" >"$1-chain.pem"; }

        leaf fine "$names"
        ec common-name-only; sign common-name-only '/CN=localhost' "$use" root
        leaf other-address 'subjectAltName=IP:192.0.2.1,IP:2001:db8::1'
        leaf address-only 'subjectAltName=IP:127.0.0.1,IP:::1'
        leaf wildcard-everything 'subjectAltName=DNS:*'
        leaf wildcard-two 'subjectAltName=DNS:*.*,DNS:*.localhost,DNS:*.*.localhost'
        leaf wildcard-partial 'subjectAltName=DNS:local*,DNS:l*t,DNS:*host'
        # A DNS name "localhost", NUL, ".theirs.example.test".
        leaf nul-in-name 'subjectAltName=DER:3020821e6c6f63616c686f7374002e7468656972732e6578616d706c652e74657374'
        leaf punycode 'subjectAltName=DNS:xn--localhst-1wa,DNS:xn--lcalhost-s3a,DNS:localh0st'
        leaf other-name 'subjectAltName=otherName:1.2.3.4;UTF8:localhost'
        leaf email-and-uri 'subjectAltName=email:x@localhost,URI:https://localhost/'
        ec ten-thousand-names
        sign ten-thousand-names "$theirs" "$use\nsubjectAltName=@all\n[all]\n$(seq 1 10000 | sed 's/.*/DNS.&=n&.theirs.example.test\\n/' | tr -d '\n')DNS.10001=localhost" root
        ec many-names
        sign many-names "$theirs" "$use\nsubjectAltName=@all\n[all]\n$(seq 1 200 | sed 's/.*/DNS.&=n&.theirs.example.test\\n/' | tr -d '\n')DNS.201=localhost" root
        ec middle; sign middle '/CN=Their intermediate' "$authority" root
        ec missing-intermediate; sign missing-intermediate "$theirs" "$use\n$names" middle
        ec intermediate; sign intermediate "$theirs" "$use\n$names" middle; under intermediate middle
        ec wrong-use
        sign wrong-use "$theirs" "basicConstraints=critical,CA:FALSE\nextendedKeyUsage=clientAuth,codeSigning\n$names" root
        ec issuer-is-no-authority; sign issuer-is-no-authority "$theirs" "$use\n$names" fine; under issuer-is-no-authority fine
        ec no-signer; sign no-signer '/CN=Their other intermediate' 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature' root
        ec issuer-may-not-sign; sign issuer-may-not-sign "$theirs" "$use\n$names" no-signer; under issuer-may-not-sign no-signer
        ec short; sign short '/CN=Their short intermediate' 'basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign' root
        ec below; sign below '/CN=Their too deep intermediate' "$authority" short
        ec path-too-long; sign path-too-long "$theirs" "$use\n$names" below
        cat path-too-long.pem below.pem short.pem >path-too-long-chain.pem
        ec constrained
        sign constrained '/CN=Their constrained intermediate' "$authority\nnameConstraints=critical,permitted;DNS:theirs.example.test" root
        ec name-constraints; sign name-constraints "$theirs" "$use\n$names" constrained; under name-constraints constrained
        rsa signer 2048; sign signer '/CN=Their RSA intermediate' "$authority" root
        ec sha1; sign sha1 "$theirs" "$use\n$names" signer -sha1; under sha1 signer
        ec md5; sign md5 "$theirs" "$use\n$names" signer -md5; under md5 signer
        rsa rsa-1024 1024; sign rsa-1024 "$theirs" "$use\n$names" root
        rsa rsa-2048 2048; sign rsa-2048 "$theirs" "$use\n$names" root
        leaf must-staple "$names\ntlsfeature=status_request"
        leaf must-staple-v2 "$names\ntlsfeature=22,status_request_v2"
        leaf must-staple-critical "$names\ntlsfeature=critical,status_request"
        leaf other-feature "$names\ntlsfeature=22,23"
        leaf unknown-critical-extension "$names\n1.2.3.4.5=critical,DER:0500"
        leaf bad-signature "$names"
        openssl x509 -in bad-signature.pem -outform DER -out bad.der -badsig
        openssl x509 -in bad.der -inform DER -out bad-signature-chain.pem
        ec version-one
        openssl req -new -key version-one-key.pem -subj /CN=localhost -out version-one.csr
        openssl x509 -req -in version-one.csr -CA root.pem -CAkey root-key.pem -CAcreateserial -days 9 -out version-one-chain.pem
        # 8 MB: a comment of 200 KB, forty times.
        leaf huge-chain "$names"
        ec filler; sign filler '/CN=Filler' "basicConstraints=CA:TRUE\n1.2.3.4.6=ASN1:UTF8:$(head -c 200000 /dev/zero | tr '\0' x)" root
        for _ in $(seq 1 40); do cat filler.pem; done >>huge-chain-chain.pem
        trap - EXIT
        """#
}
