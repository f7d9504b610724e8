import ServiceLifecycle

/// Shuts a service group down when a signal asks for it, in a process that has temporary folders.
struct AskedEnd: Service {
    private let asked: AsyncStream<Void>

    /// Takes the signals from now on.
    init() {
        let (asked, ask) = AsyncStream<Void>.makeStream()
        self.asked = asked
        TemporaryFolders.ofProcess.leaveEnd { ask.finish() }
    }

    /// Ends when it is asked for; the group shuts down with it.
    func run() async {
        for await _ in asked.cancelOnGracefulShutdown() {}
    }
}
