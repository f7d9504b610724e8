// swift-tools-version: 6.2
import PackageDescription

/// Language mode 6 everywhere; in CI every warning of ours is an error.
///
/// A file uses the members of the modules that it imports itself, and shows other modules only what it imports with `package import`.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
    ]
    + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// Those of the tests: the compiler reads their sources once.
///
/// Whoever waits for a library's module gets it before the library's code is made, by reading the sources twice. Only other tests wait for a module of tests.
let testSettings = settings + [.unsafeFlags(["-no-emit-module-separately-wmo"])]

/// A release on Linux holds the Swift runtime in itself.
///
/// It needs no Swift where it runs, and calls into the runtime go straight there: a tenth of what an exchange costs. The runtime's libraries are
/// named because the linker wants each after those that call it.
let standalone: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lFoundationXML", "-l_CFXMLInterface", "-lxml2", "-lFoundation",
            "-lFoundationInternationalization", "-lFoundationEssentials",
            "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU", "-lstdc++",
        ],
        .when(platforms: [.linux], configuration: .release)
    )
]

let nio = "swift-nio"

let package = Package(
    name: "inspect",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "inspect", targets: ["inspect"]),
        .executable(name: "inspect-bench", targets: ["Benchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-crypto", "3.12.3"..<"5.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: ["FullFoundation"]),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
        ),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        // What glibc's own header says of its allocator, which Swift's module of glibc leaves out.
        .systemLibrary(name: "CMalloc"),
        .target(
            name: "Traffic",
            dependencies: ["CZlib", "CBrotli", "CZstd", .product(name: "NIOCore", package: nio)],
            swiftSettings: settings
        ),
        .target(
            name: "Archive",
            dependencies: ["Traffic", .product(name: "NIOCore", package: nio)],
            swiftSettings: settings
        ),
        .target(
            name: "Trust",
            dependencies: [
                "Traffic",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .target(
            name: "Proxy",
            dependencies: [
                "Traffic", "Trust",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "NIOTLS", package: nio),
                .product(name: "NIOConcurrencyHelpers", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "Atomics", package: "swift-atomics"),
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            // NIOSSL's callback that watches verification without replacing it is deprecated, and nothing else shows the record the chain.
            swiftSettings: settings + [.treatWarning("DeprecatedDeclaration", as: .warning)]
        ),
        .target(
            name: "Store",
            dependencies: [
                "Traffic", "Archive",
                .product(name: "NIOCore", package: nio),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        .plugin(name: "LensList", capability: .buildTool(), path: "Sources/LensList"),
        .target(name: "Lenses", dependencies: ["Traffic"], swiftSettings: settings, plugins: ["LensList"]),
        .plugin(name: "EmbeddedText", capability: .buildTool(), path: "Sources/EmbeddedText"),
        .target(
            name: "Web",
            dependencies: [
                "Traffic", "Archive", "Store", "Lenses",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOHTTP1", package: nio),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Assets"],
            swiftSettings: settings,
            plugins: ["EmbeddedText"]
        ),
        .target(
            name: "FacilityAPI",
            dependencies: [
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "inspect",
            dependencies: [
                "Traffic", "Archive", "Trust", "Proxy", "Store", "Lenses", "Web", "FacilityAPI", "CMalloc",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "NIOHTTP1", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Manual/Articles"],
            swiftSettings: settings,
            linkerSettings: standalone,
            plugins: ["EmbeddedText"]
        ),
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Traffic", "Trust", "Proxy", "Store", "Lenses", "CZlib",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings,
            linkerSettings: standalone
        ),
        .target(
            name: "Support",
            dependencies: [
                "CMalloc",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "NIOTLS", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            path: "Tests/Support",
            swiftSettings: settings
        ),
        .testTarget(
            name: "SupportTests",
            dependencies: ["Support", .product(name: "NIOCore", package: nio)],
            swiftSettings: testSettings
        ),
        .testTarget(name: "HouseRulesTests", dependencies: ["Support"], swiftSettings: testSettings),
        .testTarget(
            name: "TrafficTests",
            dependencies: [
                "Traffic", "Archive", "Support", "CZlib", "CBrotli", "CZstd",
                .product(name: "NIOCore", package: nio),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "TrustTests",
            dependencies: [
                "Traffic", "Trust", "Support",
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "LensesTests",
            dependencies: ["Traffic", "Lenses", "Support", .product(name: "NIOCore", package: nio)],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "ProxyTests",
            dependencies: [
                "Traffic", "Trust", "Proxy", "Support",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOPosix", package: nio),
                .product(name: "NIOEmbedded", package: nio),
                .product(name: "NIOHTTP1", package: nio),
                .product(name: "NIOConcurrencyHelpers", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Peers"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "StoreTests",
            dependencies: [
                "Traffic", "Archive", "Store", "Support",
                .product(name: "NIOCore", package: nio),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["File/Versions"],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "WebTests",
            dependencies: [
                "Traffic", "Archive", "Store", "Lenses", "Web", "Support",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOEmbedded", package: nio),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: testSettings
        ),
        .testTarget(
            name: "FacilityAPITests",
            dependencies: [
                "Traffic", "FacilityAPI", "Support",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOEmbedded", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: testSettings
        ),
        // The program from outside, as its users run it. It imports nothing of the program's, so that it is compiled while the program still is.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "Traffic", "Archive", "Trust", "Store", "Lenses", "Support",
                .product(name: "NIOCore", package: nio),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            exclude: ["Archive/Readers", "Peers"],
            swiftSettings: testSettings
        ),
        // Its parts.
        .testTarget(
            name: "inspectTests",
            dependencies: [
                "Traffic", "Archive", "Trust", "Proxy", "Store", "Lenses", "Web", "FacilityAPI", "inspect", "Support",
                "ProgramTests", "CMalloc",
                .product(name: "NIOCore", package: nio),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: testSettings
        ),
        // What is long by nature: CI builds it, and one command of the README runs it.
        .testTarget(
            name: "LongTests",
            dependencies: [
                "Traffic", "Support", "TrafficTests", "TrustTests", "LensesTests", "ProxyTests", "StoreTests",
                "WebTests", "ProgramTests", "inspectTests",
            ],
            swiftSettings: testSettings
        ),
    ]
)
