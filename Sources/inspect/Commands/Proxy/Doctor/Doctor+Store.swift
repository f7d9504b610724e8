import Foundation
import Store
import Traffic

extension Doctor {
    /// A larger store takes longer to check than a person waits; `inspect store` checks it.
    private static let checkedBytes: Int64 = 256 << 20
    /// A disk with less room than this may be full within minutes.
    private static let leastFreeBytes: Int64 = 256 << 20

    /// Finds what is wrong with the store.
    func store(_ running: InstanceFile?) -> [DoctorFinding] {
        let path = places.storePath
        guard FileManager.default.fileExists(atPath: path) else { return folder(of: path) }
        guard access(path, R_OK | W_OK) == 0 else {
            let mend = "sudo chown \"$(id -un)\" \(ShellWord(path)) && chmod 600 \(ShellWord(path))"
            return [DoctorFinding("you may not read and write the store \(shown(path))", mend: mend)]
        }
        do {
            let store = try TrafficStore(path: path, access: .reading)
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64) ?? 0
            let report = try store.report(isChecked: size <= Self.checkedBytes)
            guard let check = report.check, !check.isSound else { return [] }
            let said = shown(check.problems.first ?? "it is not sound")
            return [DoctorFinding("the store \(shown(path)) is damaged: \(said)", mend: aside(running))]
        } catch {
            return [DoctorFinding(shown(error.told), mend: aside(running))]
        }
    }

    /// The commands that put the store into another folder, and record into a new store.
    private func aside(_ running: InstanceFile?) -> String {
        let folder = ShellWord(nearestFolder(places.storePath) + "/damaged")
        let stop = running.map { _ in "\(command("stop")); " } ?? ""
        return "\(stop)mkdir -p \(folder) && mv \(ShellWord(places.storePath))* \(folder)/ && \(command("start"))"
    }

    private func folder(of path: String) -> [DoctorFinding] {
        let folder = nearestFolder(path)
        guard access(folder, W_OK) != 0 else { return [] }
        let mend = "sudo chown \"$(id -un)\" \(ShellWord(folder))"
        return [DoctorFinding("no store can be made in \(shown(folder)), which you may not write to", mend: mend)]
    }

    /// Finds a disk that has too little room for the store.
    func disk() -> [DoctorFinding] {
        let folder = nearestFolder(places.storePath)
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return [] }
        let free = Self.bytes(blocks: UInt64(facts.f_bavail), of: UInt64(facts.f_frsize))
        let stored = (try? FileManager.default.attributesOfItem(atPath: places.storePath)[.size] as? Int64) ?? 0
        return room(in: folder, free: free, stored: stored)
    }

    /// Finds too little room on a disk.
    ///
    /// - Parameters:
    ///   - folder: where the store is, or would be.
    ///   - free: the bytes that are left there.
    ///   - stored: the bytes of the store; 0 where there is none.
    /// - Returns: nothing where the room is enough.
    func room(in folder: String, free: Int64, stored: Int64) -> [DoctorFinding] {
        guard free < Self.leastFreeBytes else { return [] }
        let problem = "the disk of \(shown(folder)) has \(Measure.bytes(free)) left"
        guard stored > 0 else { return [DoctorFinding(problem, mend: "du -xh \(ShellWord(folder)) | sort -h | tail")] }
        // Exchanges that are deleted make room within the store. A second copy of the store is needed before the disk gets that room back.
        let compact = free > stored ? " && \(command("store compact"))" : ""
        return [DoctorFinding(problem, mend: command("clear before:1d --yes") + compact)]
    }

    /// A number of blocks in bytes, `Int64.max` where the product overflows: file systems without an end report numbers that large.
    static func bytes(blocks: UInt64, of size: UInt64) -> Int64 {
        let (bytes, isPast) = blocks.multipliedReportingOverflow(by: size)
        return isPast ? .max : Int64(clamping: bytes)
    }

    /// The folder of a file, or the nearest folder around it that exists.
    private func nearestFolder(_ path: String) -> String {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder = folder.deletingLastPathComponent()
        }
        return folder.path
    }
}
