import ArgumentParser
import Traffic

/// The filter flag `--method`, apart from the others because `inspect replay` edited the method by that name.
struct MethodFlag: ParsableArguments {
    @Option(help: ArgumentHelp("Methods: GET, POST … (ignoring case).", valueName: "methods"))
    var method: [String] = []

    mutating func validate() throws {
        do {
            _ = try selectors()
        } catch let error as FilterError {
            throw ValidationError(error.description)
        }
    }

    /// The methods that the flag selects.
    ///
    /// - Throws: `FilterError` naming the value and what was expected.
    func selectors() throws -> [FacetSelector] {
        try method.flatMap { try FacetSelector.list($0, in: .method, label: "--method ") }
    }
}
