import Foundation
import Store
import Traffic

extension Doctor {
    /// Beyond this, looking through a store takes longer than a person waits: `inspect store` does it.
    private static let checkedBytes: Int64 = 256 << 20
    /// Less than this may be full within minutes.
    private static let leastFreeBytes: Int64 = 256 << 20
    /// What a clock may be wrong by without anybody noticing.
    private static let clockMargin: TimeInterval = 60

    /// What is wrong with the store.
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
            return [DoctorFinding(shown("\(error)"), mend: aside(running))]
        }
    }

    /// Where captures go on in a new store.
    private func aside(_ running: InstanceFile?) -> String {
        let folder = ShellWord(nearestFolder(places.storePath) + "/damaged")
        let stop = running.map { "kill \($0.pid); " } ?? ""
        return "\(stop)mkdir -p \(folder) && mv \(ShellWord(places.storePath))* \(folder)/ && \(command("start"))"
    }

    private func folder(of path: String) -> [DoctorFinding] {
        let folder = nearestFolder(path)
        guard access(folder, W_OK) != 0 else { return [] }
        let mend = "sudo chown \"$(id -un)\" \(ShellWord(folder))"
        return [DoctorFinding("no store can be made in \(shown(folder)), which you may not write to", mend: mend)]
    }

    /// Whether there is room.
    func disk() -> [DoctorFinding] {
        let folder = nearestFolder(places.storePath)
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return [] }
        let free = Int64(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
        guard free < Self.leastFreeBytes else { return [] }
        return [
            DoctorFinding(
                "the disk of \(shown(folder)) has \(Measure.bytes(free)) left",
                mend: "\(command("clear before:1d --yes")) && \(command("compact"))"
            )
        ]
    }

    /// Whether the clock was set back behind what was recorded; one before the root's time is the root's finding.
    func clock() -> [DoctorFinding] {
        guard let store = try? TrafficStore(path: places.storePath, access: .reading),
            let newest = try? store.page(ListingQuery(filter: Filter(), limit: 1)).exchanges.first?.started
        else { return [] }
        let recorded = Date(timeIntervalSince1970: Double(newest) / 1_000_000)
        guard recorded.timeIntervalSince(now) > Self.clockMargin else { return [] }
        let problem =
            "this machine's clock says \(now.formatted(.iso8601)), and the newest exchange is of \(recorded.formatted(.iso8601))"
        return [DoctorFinding(problem, mend: "sudo timedatectl set-ntp true")]
    }

    /// The folder of a file, or the nearest round it that is there.
    private func nearestFolder(_ path: String) -> String {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
            folder = folder.deletingLastPathComponent()
        }
        return folder.path
    }
}
