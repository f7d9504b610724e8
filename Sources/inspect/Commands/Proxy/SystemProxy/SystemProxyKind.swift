import ArgumentParser

/// A place of the system that says where programs send their traffic.
enum SystemProxyKind: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// GNOME's settings, which browsers and most desktop programs of Linux follow.
    case gnome
    /// A file of environment variables that systemd gives to what is started after the next login.
    case environment
    /// The network services of macOS.
    case macos
}
