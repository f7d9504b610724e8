-- A store as version 1 of its tables had it: a small capture, whose writer was killed. It is never changed.

CREATE TABLE exchange (
    id INTEGER PRIMARY KEY,
    started INTEGER NOT NULL,
    duration INTEGER,
    method TEXT NOT NULL,
    scheme TEXT,
    host TEXT NOT NULL,
    port INTEGER NOT NULL,
    target TEXT NOT NULL,
    code INTEGER,
    media_type TEXT,
    request_bytes INTEGER NOT NULL,
    response_bytes INTEGER NOT NULL,
    version TEXT,
    upstream_version TEXT,
    client_name TEXT,
    process TEXT,
    outcome TEXT NOT NULL,
    failure_side TEXT,
    failure_phase TEXT,
    failure_cause TEXT,
    failure_message TEXT,
    failure_retry INTEGER,
    replay_of INTEGER REFERENCES exchange(id),
    blocked INTEGER,
    dns INTEGER,
    connect INTEGER,
    tls INTEGER,
    send INTEGER,
    wait INTEGER,
    receive INTEGER,
    client INTEGER REFERENCES connection(id),
    upstream INTEGER REFERENCES connection(id),
    request_body INTEGER,
    request_kept INTEGER NOT NULL,
    request_sha256 BLOB,
    response_body INTEGER,
    response_kept INTEGER NOT NULL,
    response_sha256 BLOB,
    warnings TEXT,
    request_head BLOB NOT NULL,
    request_sent_head BLOB,
    request_trailers BLOB,
    response_head BLOB,
    response_sent_head BLOB,
    response_trailers BLOB,
    interim BLOB,
    own_response BLOB
);

CREATE TABLE open_exchange (id INTEGER PRIMARY KEY REFERENCES exchange(id));

CREATE TABLE body_chunk (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

CREATE TABLE connection (
    id INTEGER PRIMARY KEY,
    token INTEGER NOT NULL,
    address TEXT NOT NULL,
    tls_version TEXT,
    server_name TEXT,
    application_protocol TEXT,
    certificates TEXT
);

CREATE TABLE certificate (id INTEGER PRIMARY KEY, der BLOB NOT NULL);

CREATE TABLE capture_gap (
    id INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    cause TEXT NOT NULL
);

CREATE TABLE facet_block (
    id INTEGER PRIMARY KEY,
    layout INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    through INTEGER NOT NULL,
    count INTEGER NOT NULL,
    first_started INTEGER NOT NULL,
    last_started INTEGER NOT NULL,
    facets BLOB NOT NULL,
    numbers BLOB NOT NULL
);

INSERT INTO certificate (id, der) VALUES (1, x'3003020101');
INSERT INTO certificate (id, der) VALUES (2, x'3003020102');
INSERT INTO connection (id, token, address, tls_version, server_name, application_protocol)
VALUES (1, 1, '127.0.0.1:50412', 'TLSv1.3', 'api.example.test', 'http/1.1');
INSERT INTO connection (id, token, address, tls_version, server_name, application_protocol, certificates)
VALUES (2, 2, '192.0.2.10:443', 'TLSv1.3', 'api.example.test', 'http/1.1', '[1,2]');
INSERT INTO connection (id, token, address) VALUES (3, 3, '127.0.0.1:50413');
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, outcome, blocked, dns, connect, tls, send, wait, receive, client, upstream, request_kept, response_body,
    response_kept, response_sha256, request_head, response_head)
VALUES (1, 1763690000000000, 21600, 'GET', 'https', 'api.example.test', 443, '/v2/facilities/', 200, 'application/json', 0, 27, 'HTTP/1.1',
    'HTTP/1.1', 'completed', 20, 900, 1100, 4200, 80, 15000, 300, 1, 2, 0, 3, 27,
    x'a8f497a723432627f700a27967d523e075ab1d0e1c6b2ad878fe5b1d10e0abe4',
    CAST('GET /v2/facilities/ HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: application/json' || char(13, 10) || 'Content-Length: 27' || char(13, 10) || char(13, 10) AS BLOB));
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, outcome, replay_of, send, wait, receive, client, upstream, request_kept, response_body, response_kept,
    response_sha256, request_head, request_sent_head, response_head, response_trailers, interim)
VALUES (2, 1763690001000000, 9000, 'GET', 'https', 'api.example.test', 443, '/v2/facilities/', 200, 'application/json', 0, 27, 'HTTP/1.1',
    'HTTP/1.1', 'completed', 1, 60, 8700, 240, 1, 2, 0, 3, 27, x'a8f497a723432627f700a27967d523e075ab1d0e1c6b2ad878fe5b1d10e0abe4',
    CAST('GET /v2/facilities/ HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('GET /v2/facilities/ HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || 'Via: 1.1 inspect' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: application/json' || char(13, 10) || 'Transfer-Encoding: chunked' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('Checked: yes' || char(13, 10) AS BLOB), x'0000001c485454502f312e3120313033204561726c792048696e74730d0a0d0a');
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, request_bytes, response_bytes, version, outcome,
    failure_side, failure_phase, failure_cause, failure_message, failure_retry, dns, connect, client, request_body, request_kept,
    request_sha256, response_kept, warnings, request_head, own_response)
VALUES (3, 1763690002000000, 1500, 'POST', 'http', 'down.example.test', 80, '/v1/notes', 10, 0, 'HTTP/1.1', 'failed', 'upstream', 'connect',
    'refused', 'Nobody listens at down.example.test:80.', 1, 700, 400, 3, 6, 10,
    x'3ac35762e76c745b1a57b8c6fa73c5bd3c0fc777476adf4a2eb6460276a5b38d', 0, '["The Host field names another host."]',
    CAST('POST /v1/notes HTTP/1.1' || char(13, 10) || 'Host: other.example.test' || char(13, 10) || 'Content-Length: 10' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 502 Bad Gateway' || char(13, 10) || 'Content-Length: 0' || char(13, 10) || char(13, 10) AS BLOB));
INSERT INTO exchange (id, started, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, outcome, send, wait, client, upstream, request_kept, response_kept, request_head, response_head)
VALUES (4, 1763690003000000, 'GET', 'https', 'api.example.test', 443, '/v2/slow', 200, 'text/plain', 0, 0, 'HTTP/1.1', 'HTTP/1.1',
    'pending', 50, 7000, 1, 2, 0, 0,
    CAST('GET /v2/slow HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: text/plain' || char(13, 10) || 'Content-Length: 9' || char(13, 10) || char(13, 10) AS BLOB));
INSERT INTO open_exchange (id) VALUES (4);
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, outcome, send, wait, receive, client, upstream, request_kept, response_body, response_kept, response_sha256,
    request_head, response_head)
VALUES (5, 1763690004000000, 60000, 'GET', 'https', 'api.example.test', 443, '/v2/events', 200, 'text/event-stream', 0, 22, 'HTTP/1.1',
    'HTTP/1.1', 'completed', 40, 900, 59000, 1, 2, 0, 11, 22, x'cbf9f64931c33e4aeac8f405a512943a7c94ff95279958a188dae1816cd2b9f8',
    CAST('GET /v2/events HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: text/event-stream' || char(13, 10) || char(13, 10) AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (3145728, CAST('[{"id":1,"name":"Library"}]' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (6291456, CAST('note=hello' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (9437184, CAST('half' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (11534336, CAST('data: one' || char(10) || char(10) AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (11534337, CAST('data: two' || char(10) || char(10) AS BLOB));
INSERT INTO capture_gap (id, count, started, ended, cause)
VALUES (1, 3, 1763690006000000, 1763690007000000, 'database or disk is full');
INSERT INTO facet_block (id, layout, revision, through, count, first_started, last_started, facets, numbers)
VALUES (0, 1, 1, 5, 4, 1763690000000000, 1763690004000000, x'00', x'00');

PRAGMA application_id = 1768846192;
PRAGMA user_version = 1;
