import Archive
import ArgumentParser
import Traffic

/// `--format`: by name.
extension ExportFormat: ExpressibleByArgument {}
