import Foundation
import Testing

/// The portal's actions beyond searching, and its ways to refuse.
@Suite(.timeLimit(.minutes(15))) struct OpenDataTests {
    private func ask(_ action: String, _ stand: Stand = Stand()) async throws -> Stand.Reply {
        try await stand.ask("/api/3/action/\(action)")
    }

    @Test("The envelope is help, success and result, in that order")
    func envelope() async throws {
        let reply = try await Stand().ask("/api/3/action/help_show?name=user_list", headers: ["Host": "data.test"])
        #expect(
            reply.body
                == #"{"help":"http://data.test/api/3/action/help_show?name=help_show","success":true,"#
                + #""result":"Return a list of the site's user accounts."}"#
        )
        #expect(reply.header("Content-Type") == "application/json;charset=utf-8")
    }

    @Test("Users, vocabularies and tags are what the reference lists")
    func directories() async throws {
        let users = try #require(try await ask("user_list?").json["result"]?.elements)
        #expect(users.count == 4 && users.first?["number_created_packages"] == 14 && users.last?["fullname"] == .null)
        for name in ["id", "name", "fullname", "display_name", "about", "created", "state", "sysadmin"] {
            #expect(users.allSatisfy { $0[name] != nil })
        }
        #expect(try await ask("user_show?id=opendata").json["result"]?["display_name"] == "Open Data Team")
        let vocabularies = try #require(try await ask("vocabulary_list?").json["result"]?.elements)
        #expect(vocabularies.map { $0["name"] } == ["civic-issues", "topics"])
        #expect(vocabularies.first?["tags"]?.elements?.contains { $0["name"] == "Mobility" } == true)
        let names = try await ask("package_list?limit=2&offset=1").json["result"]
        #expect(names == ["building-permits", "council-attendance"])
    }

    @Test(
        "Refusals have CKAN's status, class and words",
        arguments: [
            (
                "user_show?id=nobody", 404,
                #""success":false,"error":{"__type":"Not Found Error","message":"Not found"}}"#
            ),
            ("user_show", 409, #""error":{"id":["Missing value"],"__type":"Validation Error"}}"#),
            ("help_show?name=nothing", 404, #""__type":"Not Found Error""#),
            ("package_create", 403, #""__type":"Authorization Error""#),
            ("package_activity_list?id=Cycling%20Lanes", 404, #""__type":"Not Found Error""#),
            ("package_search?q=%22open", 409, #""__type":"Search Error""#),
            ("package_search?sort=colour%20desc", 400, #""__type":"Search Query Error""#),
            (
                "datastore_search?id=x&limit=-1", 409,
                #"{"limit":["Must be a natural number"],"__type":"Validation Error"}"#
            ),
            ("package_show?id=nothing", 404, "<html>"),
            ("nothing", 400, #""Bad request: Action name not known: nothing""#),
        ]
    )
    func refusals(action: String, status: Int, text: String) async throws {
        let reply = try await ask(action)
        #expect(reply.status == status)
        #expect(reply.body.contains(text), "\(reply.body)")
    }

    @Test("A dataset's own activities are its own, newest first, page by page")
    func activities() async throws {
        let all = try #require(try await ask("package_activity_list?id=cycling-lanes").json["result"]?.elements)
        let id = try #require(try await ask("package_show?id=cycling-lanes").json["result"]?["id"])
        #expect(all.count == 6 && all.allSatisfy { $0["object_id"] == id })
        #expect(all.last?["activity_type"] == "new package")
        let page = try await ask("package_activity_list?id=cycling-lanes&offset=4&limit=5").json["result"]?.elements
        #expect(page?.map { $0["id"] } == all[4...].map { $0["id"] })
    }

    @Test("Facets are counted over what is found, at most as many as asked for")
    func facets() async throws {
        let result = try await ask("package_search?facet.field=%5B%22topics%22%5D&facet.limit=2&rows=0&q=bicycles")
            .json["result"]
        #expect(result?["count"] == 2)
        #expect(result?["facets"]?["topics"]?["Locations and mapping"] == 2)
        #expect(result?["facets"]?["topics"]?["Transportation"] == 2)
        let first = result?["search_facets"]?["topics"]?["items"]?.elements?.first
        #expect(first?["name"] == "Locations and mapping" && first?["display_name"] == first?["name"])
        #expect(first?["count"] == 2)
    }

    @Test("A search of more words than the engine takes is refused, and a facet asked for twice is counted once")
    func limits() async throws {
        let word = "package_search?rows=0&q=" + String(repeating: "e+", count: 1_023)
        #expect(try await ask(word + "e").status == 200)
        #expect(try await ask(word + "e+e").status == 409)
        let facets = try await ask("package_search?rows=0&facet.field=%5B%22topics%22,%22topics%22%5D").body
        // Once in each of the two members that tell of facets.
        #expect(facets.ranges(of: "\"topics\":{").count == 2, "\(facets)")
    }

    @Test(
        "Geometries are points, lines or sets of points, by dataset",
        arguments: ["Point", "LineString", "MultiPoint"]
    )
    func geometries(kind: String) async throws {
        let names = ["Point": "outdoor-rinks", "LineString": "cycling-lanes", "MultiPoint": "street-trees"]
        let package = try await ask("package_show?id=\(names[kind] ?? "")").json["result"]
        let id = try #require(package?["resources"]?.elements?.first?["id"]?.text)
        let row = try await ask("datastore_search?id=\(id)&limit=1").json["result"]?["records"]?.elements?.first
        #expect(row?["geometry"]?.text?.hasPrefix(#"{"type": "\#(kind)", "coordinates": ["#) == true)
    }

    @Test("The quality scores are there under the id the client knows")
    func scores() async throws {
        let result = try await ask("datastore_search?id=22f223e7-73f7-4842-935c-80a0ba5c3e5b&limit=5&offset=10").json[
            "result"
        ]
        #expect(result?["total"] == 14 && result?["records"]?.elements?.count == 4)
    }

    @Test("A CKAN of 2.10 knows no activities")
    func recent() async throws {
        let stand = Stand(isCKANRecent: true)
        for action in ["recently_changed_packages_activity_list", "package_activity_list"] {
            let reply = try await ask("\(action)?limit=30", stand)
            #expect(reply.status == 400 && reply.body == #""Bad request: Action name not known: \#(action)""#)
        }
        #expect(try await ask("package_list", stand).status == 200)
    }

    @Test("Parameters come in a JSON body too")
    func posted() async throws {
        let reply = try await Stand().ask("/api/3/action/package_show", "POST", body: #"{"id":"cycling-lanes"}"#)
        #expect(reply.status == 200 && reply.body.contains(#""title":"Cycling Lanes""#))
        #expect(try await Stand().ask("/api/3/action/package_show", "POST", body: "{").status == 400)
    }
}
