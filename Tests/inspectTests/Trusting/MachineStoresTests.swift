import Testing

@testable import inspect

/// The stores of systems that the tests do not run on.
@Suite("Where other systems keep roots", .timeLimit(.minutes(15)))
struct MachineStoresTests {
    @Test("On macOS the commands are those of its keychain, by the root's digest")
    func keychain() throws {
        let machine = MachineStores(
            rootFile: "/a b/root.pem",
            rootPEM: "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n",
            nickname: "inspect root",
            keyDigest: [],
            environment: ["HOME": "/home/me"],
            platform: .macOS,
            isRoot: false
        )
        let stores = try machine.stores(.system)
        #expect(
            stores.flatMap(\.install)
                == [
                    "security add-trusted-cert -r trustRoot -k /home/me/Library/Keychains/login.keychain-db '/a b/root.pem'"
                ]
        )
        // The SHA-1 of "abc" is a test vector of FIPS 180-4.
        #expect(
            stores.flatMap(\.uninstall)
                == [
                    "security remove-trusted-cert '/a b/root.pem'",
                    "security delete-certificate -Z A9993E364706816ABA3E25717850C26C9CD0D89D /home/me/Library/Keychains/login.keychain-db",
                ]
        )
    }
}
