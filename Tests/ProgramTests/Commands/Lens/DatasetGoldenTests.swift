import Support
import Testing

@Suite("What the command of the open-data portal prints, byte for byte", .timeLimit(.minutes(15)))
struct DatasetGoldenTests {
    @Test("The JSON of a question stays as it is", arguments: DatasetGolden.all)
    func json(golden: PlaceGolden) async throws {
        let store = try await DatasetGolden.store()
        let all = golden.arguments + ["--json", "--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), all)
        #expect(result.output == golden.json + "\n", "\(result.errors)")
    }

    @Test(
        "The lines of each view stay as they are",
        arguments: [
            (
                ["--sort", "title"],
                """
                3 of 3 datasets
                  TITLE   DIVISION         REFRESH RATE  FORMATS  REFRESHED                CONTENT      NAME     FROM
                  Rinks   Parks, Forestry  Daily         CSV      2026-11-01, 20 days ago  stale        rinks    #3
                  ★ Same  Parks, Forestry  Monthly       CSV      2026-11-01, 20 days ago  fresh        beaches  #1
                  ★ Same  Parks, Forestry  As available  CSV      2026-11-01, 20 days ago  unscheduled  wards    #1
                “Same” is the title of 2 datasets (beaches, wards): the app keeps favourites by title and cannot tell them apart (C4)

                """
            ),
            (
                ["--dataset", "rinks"],
                """
                Rinks
                  Division        Parks, Forestry
                  Formats         CSV
                  Topics          Health
                  Refresh rate    Daily
                  Last refreshed  2026-11-01, 20 days ago
                  Content         stale: overdue by 18 days
                  Licence         none named
                  Share link      https://open.toronto.ca/dataset/rinks/
                  Id              id-rinks

                Resources
                  NAME     FORMAT  RECORDS  ROWS READABLE  URL
                  r-rinks  -       -        no             https://portal.example/rinks

                In the captures
                  Newest copy  #3, Recently Changed, rows 3–3
                  Opened       no
                  Saved        no
                  Map          0 points, 1 MultiPoint; 1 is no point (C3): row 1

                """
            ),
            (
                ["--facet", "topics"],
                """
                topics of 3 datasets (portal: #1)
                  VALUE   CAPTURED  PORTAL
                  Health         3       7

                """
            ),
            (
                ["--scroll"],
                """
                Recently Changed: 2 rows from 2 pages, then the list goes on
                  EXCHANGE  FROM ROW  ASKED  GOT  OUTCOME
                  #2               1      1    1      200
                  #3               3      1    1      200

                Where the pages do not fit
                  gap, row 2: no page brought them; #3 goes on after them

                Rows
                  ROW  DATASET  NAME   CHANGED           FROM
                    1  Rinks    rinks  2026-11-01T00:00  #2
                    3  Rinks    rinks  2026-11-01T00:00  #3

                """
            ),
            (
                ["--map"],
                """
                Maps
                  DATASET  PINS  READ  ROWS  GEOMETRY                NO PIN  FROM
                  Rinks       0     1     1  0 points, 1 MultiPoint       1  #4

                Rows without a pin
                  Rinks
                    1 is no point (C3): row 1

                """
            ),
            (
                ["--notices"],
                """
                Notices
                  ID  TITLE             PAGE
                   7  Road\\e[2J closed  http://app.toronto.ca/nm/api/individual/notice/7.do

                """
            ),
            (
                ["id:6"],
                """
                0 of 0 datasets
                  none
                no exchange with the open-data portal is in the selection; record some, or import a HAR file

                """
            ),
        ] as [([String], String)]
    )
    func lines(arguments: [String], output: String) async throws {
        let store = try await DatasetGolden.store()
        let all = ["datasets"] + arguments + ["--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), all)
        #expect(result.output == output, "\(result.errors)")
    }
}
