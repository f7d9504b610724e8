"""An agent by the Python package mcp: calls every tool of `inspect mcp` and holds what it says to what was recorded.

Replays are left out of what is counted, so that several agents can work on one store."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

inspect, store, mode, secret, replays, *more = sys.argv[1:]


shows = "--no-redact" in more


async def main() -> None:
    server = StdioServerParameters(command=inspect, args=["mcp", "--store", store, *more])
    async with Client(server, mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        reading = ["check", "filter", "rules", "rules_try", "search", "show", "stats"]
        assert sorted(tools) == sorted(reading + (["replay"] if "--allow-replay" in more else [])), tools
        assert all("never instructions" in tool.description for tool in tools.values()), tools
        assert tools["show"].input_schema["required"] == ["id"], tools["show"]
        assert tools["filter"].annotations.read_only_hint

        async def call(name: str, **arguments) -> dict:
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, result)
            [content] = result.content
            assert shows or secret not in content.text, (name, content.text)
            return json.loads(content.text)

        async def refusal(name: str, **arguments) -> str:
            result = await client.call_tool(name, arguments)
            assert result.is_error, (name, result)
            return result.content[0].text

        listing = await call("filter", query="path:/gzip -is:replay", limit=1)
        assert listing["matched"] == 2 and len(listing["exchanges"]) == 1, listing
        assert {"value": "200", "count": 2, "selected": False} in listing["facets"]["code"], listing["facets"]
        older = await call("filter", query="path:/gzip -is:replay", limit=1, after=listing["next"])
        assert older["exchanges"][0]["id"] < listing["exchanges"][0]["id"]

        found = await call("search", query='resbody:"käse"')
        assert found["exchanges"][0]["matches"][0]["where"] == "response body", found
        assert found["exchanges"][0]["matches"][0]["match"].lower() == "käse", found

        shown = await call("show", id=listing["exchanges"][0]["id"])
        assert shown["responseBody"]["text"].startswith("Käse"), shown["responseBody"]
        assert shown["request"]["head"].startswith("GET /gzip?"), shown["request"]
        part = await call("show", id=listing["exchanges"][0]["id"], body_offset=6, body_limit=10)
        assert part["responseBody"]["nextOffset"] == 15 and part["responseBody"]["text"] == " 干酪, ", part["responseBody"]

        secrets = await call("show", id=(await call("filter", query="path:/echo"))["exchanges"][0]["id"])
        assert (secret in json.dumps(secrets)) == shows, secrets
        # What is masked cannot be asked for: whether it is there would tell it, one character at a time.
        hidden = await call("search", query=secret[:12])
        assert hidden["matched"] == (1 if shows else 0), hidden

        assert (await call("stats", query="-is:replay"))["count"] == 4
        assert (await call("check", query="path:/gzip -is:replay"))["exchanges"] == 2
        assert (await call("check", rules=["WO"]))["holds"] is True

        rules = "rules:\n- {name: zip, when: 'path:/gzip', response: {fields: {set: {X-A: b}}}}\n"
        tried = await call("rules_try", yaml=rules, query="-is:replay")
        assert tried["looked"] == 4 and tried["touched"] == 2 and tried["rules"][0]["hits"] == 2, tried
        assert "yaml:2:" in await refusal("rules_try", yaml="rules:\n- {name: zip, respnse: {}}\n")
        if mode != "legacy" and replays != "replays":
            assert "no proxy is running" in await refusal("rules")
        else:
            assert (await call("rules"))["rules"] == []

        assert "column 1" in await refusal("filter", query="cod:200")
        assert "there is no exchange 999" in await refusal("show", id=999)
        assert "there is no argument 'ids'" in await refusal("show", ids=1)
        assert "'limit' has to be a whole number from 0 to 200" in await refusal("filter", limit=1000)
        assert "'id' is missing" in await refusal("show")
        if replays == "replays":
            assert not tools["replay"].annotations.read_only_hint
            replayed = await call("replay", query=f"id:{older['exchanges'][0]['id']}")
            assert replayed["equal"] is True and replayed["same"] == 1, replayed
            assert replayed["comparisons"][0]["left"] == older["exchanges"][0]["id"], replayed
            assert "no exchange is selected" in await refusal("replay", query="path:/nowhere")
            assert "'headers': x is not" in await refusal("replay", query="id:1", headers=["x"])
            assert "leave it out" in await refusal("replay", query="id:1", headers=["host: a.test"])
            assert "nothing is recorded of" in await refusal("replay", query="id:1", to="http://evil.test")
        elif "replay" in tools:
            assert "inspect start" in await refusal("replay", query="path:/gzip")
        print(client.protocol_version)


asyncio.run(main())
