import Archive
import ArgumentParser

/// What `inspect export --format` takes: a file of exchanges, or the document of their API.
enum ExportChoice: Equatable, Sendable {
    case file(ExportFormat)
    case openapi
}

extension ExportChoice: ExpressibleByArgument {
    /// Reads a format's name.
    init?(argument: String) {
        if argument == Self.openapi.defaultValueDescription {
            self = .openapi
        } else {
            guard let format = ExportFormat(rawValue: argument) else { return nil }
            self = .file(format)
        }
    }

    /// The name as it is written on a command line.
    var defaultValueDescription: String {
        switch self {
        case .file(let format): format.rawValue
        case .openapi: "openapi"
        }
    }

    static var allValueStrings: [String] {
        ExportFormat.allCases.map(\.rawValue) + [Self.openapi.defaultValueDescription]
    }
}
