import Testing

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct SearchClauseTests {
    @Test(
        "A Solr query is taken apart as leniently as the portal does it",
        arguments: [
            ("tags:economy", ["tags=economy"]),
            (
                #"owner_division:"Parks, Forestry & Recreation" formats:"CSV""#,
                ["owner_division=“Parks, Forestry & Recreation”", "formats=“CSV”"]
            ),
            ("tags:bike lane", ["tags=bike", "lane"]),
            (#"+formats:"CSV" -is_retired:true"#, ["formats=“CSV”", "!is_retired=true"]),
            ("a:b AND c:d OR NOT e:f", ["a=b", "c=d", "!e=f"]),
            (#"title:"a \"quoted\" word""#, ["title=“a \"quoted\" word”"]),
            (#"title:"never closed formats:CSV"#, ["title=“never closed formats:CSV”"]),
            ("metadata_modified:[2020-01-01T00:00:00Z TO *]", ["metadata_modified=“[2020-01-01T00:00:00Z TO *]”"]),
            ("formats:(CSV OR JSON) x", ["formats=“(CSV OR JSON)”", "x"]),
            (#"tags: "bike lane""#, ["tags=“bike lane”"]),
            ("tags:", ["tags="]), (":", [":"]), ("(a b)", ["a", "b"]), ("((((", []), (#"""#, ["“”"]), ("", []),
            ("- + !", []), (#"a\ b"#, ["a b"]), ("tags:\\", ["tags=\\"]), ("*:*", ["*:*"]),
        ] as [(String, [String])]
    )
    func clauses(text: String, expected: [String]) {
        let found = SearchClause.list(text).map { clause in
            (clause.isNegated ? "!" : "") + (clause.field.map { $0 + "=" } ?? "")
                + (clause.isQuoted ? "“\(clause.value)”" : clause.value)
        }
        #expect(found == expected)
    }
}
