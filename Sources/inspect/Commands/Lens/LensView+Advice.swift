import Lenses
import Traffic

extension LensView {
    /// The view with each advice in the command line's words.
    var withCommands: LensView {
        var view = self
        for index in sections.indices {
            guard case .advice(let advice) = sections[index].content else { continue }
            view.sections[index].content = .text(advice.words)
        }
        return view
    }
}

extension LensAdvice {
    /// The advice with the options that follow it.
    var words: String {
        switch self {
        case .passThrough(let host):
            "It fails for as long as the proxy answers in its place. Pass it through: start with --pass-through \(ShellWord(host)), or "
                + "without --no-default-pass-through, since Apple's hosts are passed through by default. It then works, unread."
        }
    }
}
