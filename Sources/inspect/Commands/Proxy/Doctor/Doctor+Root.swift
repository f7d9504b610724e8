import Foundation
import Traffic
import Trust

extension Doctor {
    /// A root that expires sooner than this is found before its last day.
    private static let notice: TimeInterval = 14 * 86_400

    /// Finds what is wrong with the root; returns the root too where it can be used.
    func root() -> (RootCertificate?, [DoctorFinding]) {
        let directory = places.files.directory
        do {
            guard let root = try places.files.existingRoot(now: now) else {
                return (
                    nil, [DoctorFinding("there is no root certificate in \(shown(directory))", mend: command("ca"))]
                )
            }
            guard root.notAfter.timeIntervalSince(now) < Self.notice else { return (root, []) }
            let day = root.notAfter.formatted(.iso8601.year().month().day())
            return (root, [DoctorFinding("the root certificate ends on \(day)", mend: anew("old"))])
        } catch {
            return (nil, [finding(error)])
        }
    }

    private func finding(_ error: TrustError) -> DoctorFinding {
        let path: String
        let mend: String
        switch error {
        case .openToOthers(let place, let mode, let wanted):
            path = "\(shown(place)) is open to other users of this machine (mode \(String(mode, radix: 8)))"
            mend = "chmod \(String(wanted, radix: 8)) \(ShellWord(place))"
        case .foreign(let place, let owner):
            path = "\(shown(place)) belongs to another user (number \(owner)), who may have the root's key"
            mend = anew("foreign")
        case .expired(_, let date):
            path =
                "the root certificate expired on \(date.formatted(.iso8601.year().month().day())), and this machine's clock says \(now.formatted(.iso8601))"
            mend = anew("expired")
        case .notYetValid(_, let date):
            path =
                "the root certificate is valid from \(date.formatted(.iso8601)), and this machine's clock says \(now.formatted(.iso8601))"
            mend = "sudo timedatectl set-ntp true"
        case .unusable(let place, let reason):
            path = "\(shown(place)) cannot be used: \(reason)"
            mend = "sudo chown -R \"$(id -un)\" \(ShellWord(places.files.directory))"
        case .corrupt(let place, let problem):
            path = "\(shown(place)) \(problem)"
            mend = anew("broken")
        case .mismatch(let certificate, let key):
            path = "\(shown(certificate)) does not belong to the key in \(shown(key))"
            mend = anew("broken")
        case .missing(let place, let other):
            path = "\(shown(place)) is missing while \(shown(other)) is there"
            mend = anew("broken")
        case .busy, .invalidName, .unsignable:
            path = VisibleText.line(error.description)
            mend = command("ca")
        }
        return DoctorFinding(path, mend: mend)
    }

    /// The commands that make a new root and have it trusted; they keep the old root under another name.
    private func anew(_ name: String) -> String {
        let directory = places.files.directory
        return
            "mv \(ShellWord(directory)) \(ShellWord("\(directory).\(name)")) && \(command("ca install"))  # then start the proxy again"
    }

    /// A text of this machine, safe to show on a terminal.
    func shown(_ text: String) -> String { VisibleText.line(text) }
}
