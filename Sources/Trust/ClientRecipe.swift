package import Traffic

/// How one kind of client is told of the proxy and of the root: the variables that it reads, and what each of them holds.
///
/// `ClientRecipe.all` is the one table of them. `run`, `env`, the guide of `ca`, `doctor`, the page's Set up and the device page draw from it.
package struct ClientRecipe: Sendable, Hashable {
    /// What becomes of the roots that a client trusts anyway, once it is given a file of roots.
    package enum RootUse: Sendable, Hashable {
        /// The file takes their place: with our root alone in it, the client refuses every host that is passed through, so it is given the bundle.
        case replaces
        /// The file comes on top of them: our root alone is enough.
        case adds

        /// What a variable holds that names such a file.
        package var content: Content { self == .replaces ? .bundle : .root }
    }

    /// What a variable holds.
    package enum Content: Sendable, Hashable {
        /// The proxy's address.
        case proxy
        /// The same text for everybody.
        case text(String)
        /// The path of this machine's roots and ours, PEM: `TrustFiles.bundlePath`.
        case bundle
        /// The path of our root alone, PEM: `TrustFiles.certificatePath`.
        case root
        /// Options that have Node load a script first. Only `run` and `env` write the script.
        case nodePreload
        /// Options of Java that name the proxy, and a trust store of the bundle. Only `run` and `env` write the store.
        case javaOptions
        /// The path of a file of wget's that names the bundle. Only `run` and `env` write the file.
        case wgetFile

        /// Whether it is the path of a file of roots, PEM.
        package var isRootFile: Bool { self == .bundle || self == .root }

        /// Whether it names what only `run` and `env` write.
        package var isOfRun: Bool { [.nodePreload, .javaOptions, .wgetFile].contains(self) }
    }

    /// One environment variable.
    package struct Variable: Sendable, Hashable {
        package let name: String
        package let content: Content

        init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }
    }

    /// A short name, which the page asks for.
    package let name: String
    /// The clients that read the variables, as a heading has it.
    package let title: String
    /// What else to know, one sentence or two.
    package let note: String
    /// The kinds of programs that take their roots from it.
    package let runtimes: Set<ClientRuntime>
    package let rootUse: RootUse
    /// Whether the client has a list of roots of its own, and ignores what is installed for the system.
    package let ignoresSystem: Bool
    /// How it is told of the proxy; empty where it reads what other programs read.
    package let proxy: [Variable]
    /// How it is told of the root.
    package let roots: [Variable]

    /// All that it reads.
    package var variables: [Variable] { proxy + roots }

    /// - Parameters:
    ///   - name: its short name.
    ///   - title: the clients.
    ///   - note: what else to know.
    ///   - runtimes: the kinds of programs.
    ///   - rootUse: what becomes of the roots that they trust anyway.
    ///   - ignoresSystem: whether they ignore the system's roots.
    ///   - proxy: how they are told of the proxy.
    ///   - rootVariables: the variables that name a file of roots, whose content follows from `rootUse`.
    ///   - others: the variables that tell of the root in another way.
    init(
        _ name: String,
        title: String,
        note: String,
        runtimes: Set<ClientRuntime>,
        rootUse: RootUse,
        ignoresSystem: Bool = false,
        proxy: [Variable] = [],
        rootVariables: [String] = [],
        others: [Variable] = []
    ) {
        self.name = name
        self.title = title
        self.note = note
        self.runtimes = runtimes
        self.rootUse = rootUse
        self.ignoresSystem = ignoresSystem
        self.proxy = proxy
        roots = rootVariables.map { Variable($0, rootUse.content) } + others
    }

    /// The commands of a shell that tell the clients of the root, one a variable; those left out that only `run` can set.
    ///
    /// - Parameters:
    ///   - root: the path of our root.
    ///   - bundle: the path of a file that holds the system's roots and ours.
    /// - Returns: the commands.
    package func exports(root: some CustomStringConvertible, bundle: some CustomStringConvertible) -> [String] {
        roots.filter(\.content.isRootFile).map { variable in
            let file = variable.content == .bundle ? bundle.description : root.description
            return "export \(variable.name)=\(file)"
        }
    }
}
