"""A proxy whose disk fails under it: what its clients see meanwhile, and what its store holds afterwards.

usage: faulty_disk.py full|broken SECONDS INSPECT DIRECTORY [SHIM]

full    the store lies on a tmpfs of 24 MB that fills up; then there is room again
broken  writes to the store fail with EIO while the file DIRECTORY/fault exists (SHIM makes them)

Nothing of it is waited for longer than SECONDS. Prints one JSON object. Runs in a mount namespace of its own, and as a user that may mount there, for the tmpfs.
"""
import hashlib, http.client, http.server, json, os, re, signal, sqlite3, subprocess, sys, threading, time

kind, patience, inspect, directory = sys.argv[1], int(sys.argv[2]), *sys.argv[3:5]
stores = os.path.join(directory, "stores")
os.makedirs(stores)
ballast = os.path.join(stores, "ballast")
fault = os.path.join(directory, "fault")
store = os.path.join(stores, "captures.db")
environment = {**os.environ, "HOME": directory, "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"}
if kind == "full":
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "none", stores], check=True)
    with open(ballast, "wb") as file:
        file.write(b"x" * (12 << 20))
else:
    environment |= {"LD_PRELOAD": sys.argv[5], "FAULT_FILE": fault, "FAULT_PATH": store}

SIZE = 100_000
bodies = {}


class Origin(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = os.urandom(SIZE)
        bodies[self.path] = hashlib.sha256(body).digest()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


origin = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Origin)
threading.Thread(target=origin.serve_forever, daemon=True).start()

proxy = subprocess.Popen(
    [inspect, "start", "--port", "0", "--web-port", "0", "--store", store, "--ca-directory", os.path.join(directory, "ca")],
    stdout=subprocess.PIPE, stderr=open(os.path.join(directory, "errors"), "wb"), env=environment, text=True,
)
port = page = None
for line in proxy.stdout:
    found = re.search(r":(\d+)", line)
    if line.startswith("proxy ") and found:
        port = int(found[1])
    if line.startswith("page ") and found:
        page = found
        break
threading.Thread(target=proxy.stdout.read, daemon=True).start()

number = 0
served = failed = 0


def ask(count):
    """Asks for so many new resources, one after another; counts those whose body is the one that was sent."""
    global number, served, failed
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
    for _ in range(count):
        number += 1
        path = f"/r{number}"
        try:
            connection.request("GET", f"http://127.0.0.1:{origin.server_port}{path}")
            answer = connection.getresponse()
            body = answer.read()
            isRight = answer.status == 200 and hashlib.sha256(body).digest() == bodies[path]
        except (OSError, http.client.HTTPException):
            connection.close()
            isRight = False
        served += isRight
        failed += not isRight


def rows():
    listed = subprocess.run([inspect, "ls", "--jsonl", "--limit", "100000", "--store", store], capture_output=True, text=True,
                            env={k: v for k, v in environment.items() if k != "LD_PRELOAD"})
    return listed.returncode, [json.loads(line) for line in listed.stdout.splitlines()]


result = {}
ask(40)
status, before = rows()
result["before"] = [status, len(before)]
if kind == "broken":
    open(fault, "w").close()
ask(160)
status, during = rows()
result["during"] = [status, len(during)]
os.remove(ballast if kind == "full" else fault)
# Recording begins again by itself: what is asked for from then on is there.
end = time.monotonic() + patience
while time.monotonic() < end:
    ask(1)
    if f"/r{number}" in (row["target"] for row in rows()[1]):
        break
ask(20)
status, after = rows()
last = {row["target"] for row in after}
result["after"] = [status, len(after)]
result["resumed"] = sum(f"/r{n}" in last for n in range(number - 19, number + 1))
shown = subprocess.run([inspect, "filter", "--limit", "1", "--store", store], capture_output=True, text=True)
result["shown"] = shown.stdout
proxy.send_signal(signal.SIGINT)
result["exit"] = proxy.wait(patience)
database = sqlite3.connect(store)
result["integrity"] = database.execute("pragma integrity_check").fetchone()[0]
result["told"] = database.execute("select count, started, ended, cause from capture_gap").fetchall()
# Whatever has a row as completed has its whole body.
wrong = 0
for target, body, kept in database.execute("select target, response_body, response_kept from exchange where outcome = 'completed'"):
    chunks = database.execute("select bytes from body_chunk where id >> 20 = ? order by id", (body,)).fetchall()
    wrong += hashlib.sha256(b"".join(chunk for (chunk,) in chunks)).digest() != bodies[target] or kept != SIZE
result["wrong"] = wrong
result["rows"] = database.execute("select count(*) from exchange where outcome = 'completed'").fetchone()[0]
result["asked"], result["served"], result["failed"] = number, served, failed
result["errors"] = open(os.path.join(directory, "errors")).read()
print(json.dumps(result))
