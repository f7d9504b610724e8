import Testing

/// The program of all tests: Swift Testing alone.
///
/// Without a file of this name the package manager looks for XCTest's cases, of which there are none, in an index that the compiler would have to
/// write of every source.
@main struct TestProgram {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
