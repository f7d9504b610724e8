import Store
import Traffic

extension StoreError: AdvisedError {
    var advice: String {
        switch self {
        case .missing, .empty: "; run `inspect start` or name another one with --store"
        case .newer, .altered, .unopenable, .noFolder, .noLock, .untrustedLock, .beingWritten:
            ", or name another store with --store"
        case .older: "; run `inspect start` or `inspect store compact` on it once to bring it up to date"
        case .foreign: ": name another file with --store"
        case .notAFile: "; name a file with --store"
        case .foreignLink: " with --store"
        case .openFolder(_, let own):
            "; take a folder of your own in it (--store \(own)), or a store on another disk"
        case .hardLink: ", or name a copy with --store"
        case .untrusted(_, .mode): ""
        case .untrusted(_, .owner), .untrusted(_, .notAFile): ", or name another store with --store"
        case .unlockable: "; name a store on another disk with --store"
        case .failed(_, _, let failure):
            switch failure {
            case .damage: ", or name another file with --store"
            case .noAccess: ", or name another one with --store"
            case .fullDisk, .locked: ""
            case .other: ": if it persists, name another file with --store"
            }
        case .unwritable:
            """
            ; write all of it to a file with `inspect export --format json -o FILE`, and take that into another store with \
            `inspect import FILE --store OTHER`
            """
        case .unusable, .readOnly, .importEnded, .uncopied, .untold, .setting: ""
        }
    }
}
