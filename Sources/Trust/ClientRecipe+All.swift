import Traffic

extension ClientRecipe {
    /// Every recipe; the first is the recipe that most programs follow.
    package static let all = [openssl, curl, python, pip, git, aws, cargo, deno, node, java, wget]

    /// The variables of all recipes, each once.
    package static var variables: [Variable] {
        var seen: Set<String> = []
        return all.flatMap(\.variables).filter { seen.insert($0.name).inserted }
    }

    /// The variables that name a file of roots.
    package static var rootVariables: [Variable] { variables.filter(\.content.isRootFile) }

    /// What programs on OpenSSL read, and what most programs read of the proxy.
    package static let openssl = ClientRecipe(
        "openssl",
        title: "OpenSSL, Go, Ruby, PHP, .NET",
        note: "Go reads it on Linux, and never sends localhost through a proxy.",
        runtimes: [.openssl, .go, .ruby, .php, .dotnet, .rust],
        rootUse: .replaces,
        proxy: ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].map {
            Variable($0, .proxy)
        }
            // The hosts that they name would go past the proxy.
            + ["NO_PROXY", "no_proxy"].map { Variable($0, .text("")) },
        rootVariables: ["SSL_CERT_FILE"]
    )

    package static let curl = ClientRecipe(
        "curl",
        title: "curl",
        note: "For this shell, or for one call with --cacert.",
        runtimes: [.curl],
        rootUse: .replaces,
        // curl does not read HTTP_PROXY, which a server may let its clients set.
        proxy: ["http_proxy", "https_proxy"].map { Variable($0, .proxy) },
        rootVariables: ["CURL_CA_BUNDLE"]
    )

    package static let python = ClientRecipe(
        "python",
        title: "Python (requests, httpx)",
        note: "For this shell: the first is for requests, the second for httpx, urllib and the ssl module.",
        runtimes: [.python],
        rootUse: .replaces,
        ignoresSystem: true,
        proxy: ["HTTP_PROXY", "HTTPS_PROXY"].map { Variable($0, .proxy) },
        rootVariables: ["REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"]
    )

    package static let pip = ClientRecipe(
        "pip",
        title: "pip",
        note: "The option is --cert.",
        runtimes: [.python],
        rootUse: .replaces,
        ignoresSystem: true,
        rootVariables: ["PIP_CERT"]
    )

    package static let git = ClientRecipe(
        "git",
        title: "git",
        note: "The setting is http.sslCAInfo.",
        runtimes: [.git, .gnutls],
        rootUse: .replaces,
        rootVariables: ["GIT_SSL_CAINFO"]
    )

    package static let aws = ClientRecipe(
        "aws",
        title: "AWS tools and boto3",
        note: "The option is --ca-bundle.",
        runtimes: [.python],
        rootUse: .replaces,
        ignoresSystem: true,
        rootVariables: ["AWS_CA_BUNDLE"]
    )

    package static let cargo = ClientRecipe(
        "cargo",
        title: "Cargo",
        note: "The setting is http.cainfo.",
        runtimes: [.rust],
        rootUse: .replaces,
        rootVariables: ["CARGO_HTTP_CAINFO"]
    )

    package static let deno = ClientRecipe(
        "deno",
        title: "Deno",
        note: "The option is --cert.",
        runtimes: [.deno],
        rootUse: .adds,
        ignoresSystem: true,
        rootVariables: ["DENO_CERT"]
    )

    package static let node = ClientRecipe(
        "node",
        title: "Node",
        note: "For this shell, beside Node's own list; read once, when node starts.",
        runtimes: [.node],
        rootUse: .adds,
        ignoresSystem: true,
        // Node reads a proxy variable from version 24 on, where it is told to; an older Node needs the script.
        proxy: [
            Variable("HTTP_PROXY", .proxy), Variable("HTTPS_PROXY", .proxy), Variable("NODE_USE_ENV_PROXY", .text("1")),
            Variable("NODE_OPTIONS", .nodePreload),
        ],
        rootVariables: ["NODE_EXTRA_CA_CERTS"]
    )

    package static let java = ClientRecipe(
        "java",
        title: "Java",
        note: "The options name the proxy, and a trust store that inspect run makes of the bundle.",
        runtimes: [.java],
        rootUse: .replaces,
        ignoresSystem: true,
        others: [Variable("JAVA_TOOL_OPTIONS", .javaOptions)]
    )

    package static let wget = ClientRecipe(
        "wget",
        title: "wget",
        note: "The variable names a file that inspect run writes: your own settings, and where the bundle is.",
        runtimes: [.wget, .gnutls],
        rootUse: .adds,
        others: [Variable("WGETRC", .wgetFile)]
    )
}
