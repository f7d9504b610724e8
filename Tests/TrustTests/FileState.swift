import Foundation

/// The nine permission bits of a file or directory.
func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? Int ?? -1) & 0o777
}

/// Every file of a directory with its content and mode, to see that nothing changed.
func snapshot(_ directory: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
        let path = directory + "/" + name
        let content = FileManager.default.contents(atPath: path)?.base64EncodedString() ?? "directory"
        files[name] = try "\(content) \(mode(of: path))"
    }
    return files
}
