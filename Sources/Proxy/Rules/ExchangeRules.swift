import NIOCore
import Traffic

/// What the rules do to one exchange on its way: which apply, what is held until that is known, and the record of what they did.
///
/// Every condition is judged on the messages as they came, never on what another rule made of them. Used on the exchange's loop only.
final class ExchangeRules {
    let bodies: RuleBodies
    /// The moment that rules go by: microseconds since 1970.
    private let now: Int64
    private let dice: RuleDice
    var run: RuleRun
    /// What the rules do to the exchange's time.
    let timing = ExchangeTiming()
    var kept: [MessageSide: KeptBody] = [:]
    /// Messages whose bodies rules edit, while these are not whole.
    var waiting: [MessageSide: EditedMessage] = [:]
    /// What edits bodies on another thread.
    var works: [MessageSide: BodyWork] = [:]
    /// What edits bodies as they pass.
    var editors: [MessageSide: BodyEditor] = [:]
    /// The rules that could not edit a body to its end, and why not, of bodies that have passed.
    var cuts: [MessageSide: (rule: String, why: String)] = [:]
    private var trailerEdits: [MessageSide: [TrailerEdit]] = [:]
    /// The rules whose delays and throttles lie on the request: one that is judged again has waited for them.
    private var paced: Set<String> = []
    /// Whether it is not yet known which rules apply to the request: it goes nowhere before that.
    private(set) var holdsRequest = true
    /// What the request was to be judged by while the client's program was not known; `nil` where that is not waited for.
    var postponed: (phase: RulePhase, gap: String?)?
    /// The response's head while it is not known which rules apply to the response; `nil` before and after.
    var heldResponse: ResponseHead?
    /// Since when the response is held, less what the rules' own delays took; `nil` before.
    var heldSince: NIODeadline?
    /// Whether all of the request has come.
    var isRequestWhole = false
    /// Bytes of texts that templates were filled to, which are held until the exchange ends.
    private var textBytes = 0
    /// Bytes of the request's body that wait for the upstream beside those that are kept.
    private var waitingBytes = 0

    /// The way of an exchange through the rules; `nil` where no rule can apply.
    ///
    /// - Parameters:
    ///   - list: the rules in force.
    ///   - exchange: the record, with the request's head.
    ///   - token: unique in one run; random values of templates follow from it.
    ///   - bodies: counts what is kept of bodies.
    init?(_ list: RuleList, for exchange: Exchange, token: CaptureToken, bodies: RuleBodies) {
        guard let run = RuleRun(list, for: exchange.summary) else { return nil }
        self.run = run
        self.bodies = bodies
        now = exchange.timeline.started
        dice = RuleDice(seed: token)
        if run.keepsRequestBody { kept[.request] = KeptBody() }
    }

    deinit { free() }

    /// The record of what was done so far.
    var uses: [RuleUse] { run.uses }

    /// Whether a rule asks which program sent the request.
    var asksOfProcess: Bool { run.asksOfProcess }

    /// Whether a rule for the response looks at the request's body.
    var keepsRequestBody: Bool { run.keepsRequestBody }

    /// Whether a rule may apply to the response.
    var mayTouchResponse: Bool { run.mayTouchResponse }

    /// The rule that answers or refuses the request; `nil` while none does.
    var final: RuleFiring? { run.final }

    // MARK: Bodies

    /// Keeps more of a body, where rules look at it.
    ///
    /// - Returns: why the body cannot be kept whole; `nil` where it is, or where nobody looks at it.
    func take(_ side: MessageSide, _ bytes: ByteBuffer) -> String? {
        let isWaiting = side == .request && isRequestHeld
        kept[side]?.take(bytes, bodies, copies: isWaiting ? 2 : 1)
        guard kept[side]?.gap == nil else {
            // Nothing looks at a part of it; of a response it is what goes on.
            if side == .request { kept[side]?.free(bodies) }
            return kept[side]?.gap
        }
        if isWaiting, kept[side] != nil { waitingBytes += bytes.readableBytes }
        return nil
    }

    /// Whether all of the held response's body is kept, as far as its head says how much that is.
    var isResponseWhole: Bool {
        guard let heldResponse, case .length(let length) = heldResponse.framing else { return false }
        return length == Int64(keptBytes(.response).readableBytes)
    }

    /// What is kept of a body.
    func keptBytes(_ side: MessageSide) -> ByteBuffer { kept[side]?.bytes ?? ByteBuffer() }

    /// Keeps nothing any more.
    func free() {
        for side in MessageSide.allCases { forget(side) }
        bodies.give(textBytes)
        textBytes = 0
        noteSent()
    }

    /// Counts what the request's body has grown by until nothing of it waits for the upstream.
    func noteGrown(by count: Int) {
        guard count > 0 else { return }
        bodies.add(count)
        waitingBytes += count
    }

    /// Takes note that nothing of the request waits for the upstream any more.
    func noteSent() {
        guard waitingBytes > 0 else { return }
        bodies.give(waitingBytes)
        waitingBytes = 0
    }

    /// Keeps nothing more of the bodies: what becomes of the response is decided, and done.
    func forgetDecided() {
        forget(.response)
        forgetDecidedRequest()
    }

    /// Keeps nothing more of the request's body, unless trailers of the response are still to have something of it.
    func forgetDecidedRequest() {
        if trailerEdits[.response]?.contains(where: \.needsBody) != true { forget(.request) }
    }

    /// Keeps nothing more of the request's body, unless a rule for the response looks at it.
    func forgetRequestBody() { if !run.keepsRequestBody { forget(.request) } }

    private func forget(_ side: MessageSide) {
        kept[side]?.free(bodies)
        kept[side] = nil
    }

    // MARK: Judging

    /// Holds the request until its body is whole.
    func awaitRequestBody() { if kept[.request] == nil { kept[.request] = KeptBody() } }

    /// Holds a response until its body is whole.
    ///
    /// - Parameters:
    ///   - response: its head.
    ///   - now: the moment from which it is held.
    func hold(_ response: ResponseHead, at now: NIODeadline) {
        heldResponse = response
        heldSince = heldSince ?? now
        if kept[.response] == nil { kept[.response] = KeptBody() }
    }

    /// Which rules apply to a message; a side is decided once.
    ///
    /// - Parameters:
    ///   - side: the message that is changed, or answered.
    ///   - phase: what is known of the exchange.
    ///   - exchange: the record so far.
    ///   - gap: why no more of the message will be known; `nil` while more may come.
    /// - Returns: the rules that apply; `nil` while that depends on the body.
    func judge(
        _ side: MessageSide,
        at phase: RulePhase,
        of exchange: Exchange,
        gap: String? = nil
    ) -> [RuleFiring]? {
        let gap = gap ?? kept[side]?.gap
        // What is kept of a body that is not whole decides nothing.
        let phase = gap == nil ? phase : RulePhase.head(of: side)
        let verdict = try? run.judge(
            side,
            at: phase,
            of: subject(exchange),
            now: now,
            gap: gap,
            requestGap: side == .response ? requestGap : nil
        )
        // What is looked at is in memory, so that nothing is thrown.
        guard case .applies(let firings) = verdict ?? .applies([]) else { return nil }
        if side == .request { holdsRequest = false } else { heldResponse = nil }
        return firings
    }

    /// Why the request's body, which rules for the response look at, is not known whole; `nil` where it is, or where none looks at it.
    private var requestGap: String? {
        kept[.request].flatMap { $0.gap ?? (isRequestWhole ? nil : RuleGap.requestNotWhole) }
    }

    private func subject(_ exchange: Exchange) -> LiveExchange {
        LiveExchange(exchange, bodies: kept.mapValues(\.bytes))
    }

    private func scope(_ exchange: Exchange) throws -> TemplateScope {
        var scope = try TemplateScope(subject(exchange), now: now, needsBody: kept[.request] != nil, generator: dice)
        scope.takeRoom = { [weak self] count in
            // They stand in the rules and in what edits the body, or in the answer.
            guard let self, bodies.take(2 * count) else { return false }
            textBytes += 2 * count
            return true
        }
        return scope
    }

    // MARK: Acting

    /// Has the rules that apply take time, each once, and have the response fail.
    ///
    /// - Returns: how long the message waits, in microseconds.
    func pace(_ side: MessageSide, by firings: [RuleFiring], _ sharer: RulePacing.Sharer) -> Int64 {
        let fresh = firings.filter { side == .response || paced.insert($0.rule.name).inserted }
        let more = run.pace(side, by: fresh, sharer)
        timing.add(more)
        return more.delay
    }

    /// Ends what the rules do to the exchange's time.
    ///
    /// - Returns: the record of all that was done.
    func endTiming(_ now: Int64) -> [RuleUse] {
        timing.finish(&run, now)
        return run.uses
    }

    /// Edits a message's head, and remembers what is to be done with its trailers.
    func edit(_ head: ByteBuffer, _ side: MessageSide, by firings: [RuleFiring], of exchange: Exchange) -> EditedMessage
    {
        guard !firings.isEmpty, var scope = try? scope(exchange) else { return EditedMessage(head: head) }
        var edited = run.edit(head, side, by: firings, &scope)
        keepRuled(&edited, side, by: firings)
        edited.isChanged = edited.head != head
        if !edited.trailerEdits.isEmpty { trailerEdits[side] = edited.trailerEdits }
        return edited
    }

    /// Takes note that a message has no place for the trailers that rules would have edited.
    func noteNoTrailers(_ side: MessageSide) {
        if let edits = trailerEdits.removeValue(forKey: side) { run.noteUnsent(edits) }
    }

    /// Leaves trailers as they come.
    func forgetTrailers(_ side: MessageSide) { trailerEdits[side] = nil }

    /// Edits a trailer section, with its empty line.
    ///
    /// - Parameters:
    ///   - section: as it is passed on without rules; `nil` for none.
    ///   - side: whose.
    ///   - exchange: the record so far.
    /// - Returns: the section to send; `nil` for none.
    func edit(trailers section: ByteBuffer?, _ side: MessageSide, of exchange: Exchange) -> ByteBuffer? {
        guard let edits = trailerEdits.removeValue(forKey: side), var scope = try? scope(exchange) else {
            return section
        }
        guard var edited = run.edit(trailers: section, by: edits, &scope) else { return nil }
        edited.writeStaticString("\r\n")
        return edited
    }

    /// The answer of the rule that answers the request, or the fault that keeps it from that; `nil` where no rule answers.
    func answer(of exchange: Exchange) -> Result<RenderedAnswer, RuleFault>? {
        guard var scope = try? scope(exchange) else { return nil }
        do throws(RuleFault) {
            return try run.answer(&scope).map { .success($0) }
        } catch {
            run.noteFailedAnswer(error)
            return .failure(error)
        }
    }

    /// Has the request judged again without the rule that answered it, which has no such file; the time that it has taken stays in the record.
    func withdrawAnswer() {
        let taken = run.uses.filter { paced.contains($0.rule) && ["delay", "throttle"].contains($0.action) }
        run.withdrawAnswer()
        run.uses += taken
        holdsRequest = true
    }

    /// Notes that the answering rule could not give its answer.
    func noteFailedAnswer(_ fault: RuleFault) { run.noteFailedAnswer(fault) }

    /// How the request is refused; `nil` where no rule refuses it.
    func block() -> RuleBlock? { run.block() }
}
