extension ScalarSet {
    /// A general category of Unicode, as an expression names it, and the sets made from it: with and without case, inverted or not.
    ///
    /// To find the scalars of one category takes milliseconds, so those of all categories are found together, once.
    struct Category: Sendable {
        private let exact: ScalarSet
        private let folded: ScalarSet
        private let others: ScalarSet
        private let othersFolded: ScalarSet

        private init(_ ranges: [ClosedRange<UInt32>]) {
            exact = ScalarSet(ranges)
            folded = exact.ignoringCase
            (others, othersFolded) = (exact.inverted, folded.inverted)
        }

        /// The scalars of the category, or all others.
        func set(ignoringCase: Bool, isInverted: Bool) -> ScalarSet {
            switch (ignoringCase, isInverted) {
            case (false, false): exact
            case (false, true): others
            case (true, false): folded
            case (true, true): othersFolded
            }
        }

        /// The categories by their names in ECMA-262 (§22.2.1.9, table 69).
        static let named: [String: Category] = {
            var ranges: [Unicode.GeneralCategory: [ClosedRange<UInt32>]] = [:]
            for plane in ScalarSet.planes {
                // Scalars of a category mostly stand beside each other.
                var run: (category: Unicode.GeneralCategory, start: UInt32)?
                for value in plane {
                    let category = Unicode.Scalar(value)?.properties.generalCategory
                    guard run?.category != category else { continue }
                    if let run { ranges[run.category, default: []].append(run.start...value - 1) }
                    run = category.map { ($0, value) }
                }
                if let run { ranges[run.category, default: []].append(run.start...plane.upperBound) }
            }
            var named: [String: Category] = [:]
            for (names, categories) in ScalarSet.categories {
                let category = Category(categories.flatMap { ranges[$0] ?? [] })
                for name in names { named[name] = category }
            }
            return named
        }()
    }

    /// The planes whose scalars are looked through; what lies between and behind them is unassigned or private.
    private static let planes: [ClosedRange<UInt32>] = [0...0x3FFFF, 0xE0000...0xE01FF]

    private static let categories: [(names: [String], categories: [Unicode.GeneralCategory])] = [
        (
            ["L", "Letter"],
            [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter]
        ),
        (["Lu", "Uppercase_Letter"], [.uppercaseLetter]), (["Ll", "Lowercase_Letter"], [.lowercaseLetter]),
        (["Lt", "Titlecase_Letter"], [.titlecaseLetter]),
        (["LC", "Cased_Letter"], [.uppercaseLetter, .lowercaseLetter, .titlecaseLetter]),
        (["Lm", "Modifier_Letter"], [.modifierLetter]), (["Lo", "Other_Letter"], [.otherLetter]),
        (["M", "Mark", "Combining_Mark"], [.nonspacingMark, .spacingMark, .enclosingMark]),
        (["Mn", "Nonspacing_Mark"], [.nonspacingMark]), (["Mc", "Spacing_Mark"], [.spacingMark]),
        (["Me", "Enclosing_Mark"], [.enclosingMark]),
        (["N", "Number"], [.decimalNumber, .letterNumber, .otherNumber]),
        (["Nd", "Decimal_Number", "digit"], [.decimalNumber]), (["Nl", "Letter_Number"], [.letterNumber]),
        (["No", "Other_Number"], [.otherNumber]),
        (
            ["P", "Punctuation", "punct"],
            [
                .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
                .finalPunctuation, .otherPunctuation,
            ]
        ),
        (["Pc", "Connector_Punctuation"], [.connectorPunctuation]), (["Pd", "Dash_Punctuation"], [.dashPunctuation]),
        (["Ps", "Open_Punctuation"], [.openPunctuation]), (["Pe", "Close_Punctuation"], [.closePunctuation]),
        (["Pi", "Initial_Punctuation"], [.initialPunctuation]), (["Pf", "Final_Punctuation"], [.finalPunctuation]),
        (["Po", "Other_Punctuation"], [.otherPunctuation]),
        (["S", "Symbol"], [.mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol]),
        (["Sm", "Math_Symbol"], [.mathSymbol]), (["Sc", "Currency_Symbol"], [.currencySymbol]),
        (["Sk", "Modifier_Symbol"], [.modifierSymbol]), (["So", "Other_Symbol"], [.otherSymbol]),
        (["Z", "Separator"], [.spaceSeparator, .lineSeparator, .paragraphSeparator]),
        (["Zs", "Space_Separator"], [.spaceSeparator]), (["Zl", "Line_Separator"], [.lineSeparator]),
        (["Zp", "Paragraph_Separator"], [.paragraphSeparator]),
    ]
}
