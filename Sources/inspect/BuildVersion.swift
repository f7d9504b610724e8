/// The version that `inspect --version` prints and exports name as their creator's.
enum BuildVersion {
    static let text = "0.1.0"
}
