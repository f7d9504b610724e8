/// What is kept of a body that came out of an archive and is not, byte for byte, what passed on the wire.
///
/// An archive holds bodies decoded, while the head beside them still names the codings. This is a class because hardly any body has one.
package final class ArchivedBody: Hashable, Sendable, Codable {
    /// What the kept bytes are.
    package enum Form: String, Hashable, Sendable, Codable {
        /// The body with the content codings of its head undone.
        case decoded
        /// A text: codings undone, and in UTF-8 whatever charset the head names.
        case text
    }

    /// What the kept bytes are.
    package let form: Form
    /// Bytes that the body decodes to, as the archive counts them.
    package let size: Int64
    /// Bytes of the wire that were kept when the archive was written; the body was cut where these are fewer than passed.
    package let kept: Int64
    /// Why this is not the whole body, as the archive says it; `nil` when it is.
    package let problem: String?

    package init(form: Form, size: Int64, kept: Int64, problem: String?) {
        self.form = form
        self.size = size
        self.kept = kept
        self.problem = problem
    }

    package static func == (one: ArchivedBody, other: ArchivedBody) -> Bool {
        one.form == other.form && one.size == other.size && one.kept == other.kept && one.problem == other.problem
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(form)
        hasher.combine(size)
        hasher.combine(kept)
        hasher.combine(problem)
    }
}
