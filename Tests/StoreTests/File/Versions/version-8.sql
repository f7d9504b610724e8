-- A store as version 8 of its tables had it: a small capture, whose writer was killed. It is never changed.

CREATE TABLE line_column (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

CREATE TABLE search_block (
    id INTEGER PRIMARY KEY,
    layout INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    places BLOB NOT NULL,
    urls BLOB NOT NULL,
    lines BLOB NOT NULL,
    messages BLOB NOT NULL,
    bodies BLOB NOT NULL
);

CREATE TABLE search_group (
    id INTEGER PRIMARY KEY,
    layout INTEGER NOT NULL,
    width INTEGER NOT NULL,
    settled BLOB NOT NULL,
    large BLOB NOT NULL
);

CREATE TABLE search_filter (
    id INTEGER PRIMARY KEY,
    bits BLOB NOT NULL
);

CREATE TABLE archive_import (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    started INTEGER NOT NULL,
    count INTEGER NOT NULL,
    first INTEGER,
    last INTEGER
);

CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    exchange INTEGER NOT NULL REFERENCES exchange(id),
    side TEXT NOT NULL,
    time INTEGER NOT NULL,
    kind TEXT NOT NULL,
    opcode INTEGER NOT NULL,
    wire_bytes INTEGER NOT NULL,
    size INTEGER NOT NULL,
    compressed INTEGER NOT NULL,
    status INTEGER,
    event_name TEXT,
    event_id TEXT,
    problem TEXT,
    payload BLOB NOT NULL
);

CREATE TABLE mark (
    exchange INTEGER PRIMARY KEY REFERENCES exchange(id),
    favourite INTEGER NOT NULL,
    tags TEXT,
    note TEXT
);

CREATE TABLE session (first INTEGER PRIMARY KEY, name TEXT, started INTEGER NOT NULL);

CREATE TABLE saved_search (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE sequence (id INTEGER PRIMARY KEY CHECK (id = 1), last INTEGER NOT NULL);

CREATE TABLE body_share (body INTEGER PRIMARY KEY, others INTEGER NOT NULL);

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
    lens TEXT,
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
    own_response BLOB,
    request_messages INTEGER,
    response_messages INTEGER,
    stream INTEGER,
    upstream_stream INTEGER,
    request_archived TEXT,
    response_archived TEXT,
    rules TEXT
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
    certificates TEXT,
    tls_cipher TEXT,
    process INTEGER,
    process_name TEXT,
    client_hello TEXT,
    client_runtime TEXT
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
    open INTEGER NOT NULL DEFAULT 0,
    first_started INTEGER NOT NULL,
    last_started INTEGER NOT NULL,
    facets BLOB NOT NULL,
    numbers BLOB NOT NULL
);

INSERT INTO certificate (id, der) VALUES (1, x'3003020101');
INSERT INTO certificate (id, der) VALUES (2, x'3003020102');
INSERT INTO connection (id, token, address, tls_version, server_name, application_protocol, tls_cipher, process, process_name, client_hello,
    client_runtime)
VALUES (1, 1, '127.0.0.1:50412', 'TLSv1.3', 'api.example.test', 'http/1.1', 'TLS_AES_128_GCM_SHA256', 4711, 'curl',
    't13d3112h2_e8f1e7e78f70_b26ce05bbdd6', 'curl');
INSERT INTO connection (id, token, address, tls_version, server_name, application_protocol, certificates, tls_cipher)
VALUES (2, 2, '192.0.2.10:443', 'TLSv1.3', 'api.example.test', 'http/1.1', '[1,2]', 'TLS_AES_256_GCM_SHA384');
INSERT INTO connection (id, token, address) VALUES (3, 3, '127.0.0.1:50413');
INSERT INTO connection (id, token, address) VALUES (4, 0, '');
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, client_name, lens, process, outcome, blocked, dns, connect, tls, send, wait, receive, client, upstream, request_kept,
    response_body, response_kept, response_sha256, request_head, response_head, rules)
VALUES (1, 1763690000000000, 21600, 'GET', 'https', 'api.example.test', 443, '/v2/facilities/', 200, 'application/json', 0, 27, 'HTTP/1.1',
    'HTTP/1.1', 'curl', 'json', 'curl', 'completed', 20, 900, 1100, 4200, 80, 15000, 300, 1, 2, 0, 3, 27,
    x'a8f497a723432627f700a27967d523e075ab1d0e1c6b2ad878fe5b1d10e0abe4',
    CAST('GET /v2/facilities/ HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: application/json' || char(13, 10) || 'Content-Length: 27' || char(13, 10) || char(13, 10) AS BLOB),
    '[{"action":"send","phase":"request-head","rule":"staging","what":"host, \"Tea\" ×20"},{"action":"delay","microseconds":300000,"phase":"response-head","rule":"slow","what":"300 ms"},{"action":"respond","note":"shadowed by staging","phase":"request-head","rule":"flaky","what":""}]');
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, client_name, lens, process, outcome, replay_of, send, wait, receive, client, upstream, request_kept, response_body,
    response_kept, response_sha256, request_head, request_sent_head, response_head, response_trailers, interim)
VALUES (2, 1763690001000000, 9000, 'GET', 'https', 'api.example.test', 443, '/v2/facilities/', 200, 'application/json', 0, 27, 'HTTP/1.1',
    'HTTP/1.1', 'curl', 'json', 'curl', 'completed', 1, 60, 8700, 240, 1, 2, 0, 3, 27,
    x'a8f497a723432627f700a27967d523e075ab1d0e1c6b2ad878fe5b1d10e0abe4',
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
    upstream_version, process, outcome, send, wait, client, upstream, request_kept, response_kept, request_head, response_head)
VALUES (4, 1763690003000000, 'GET', 'https', 'api.example.test', 443, '/v2/slow', 200, 'text/plain', 0, 0, 'HTTP/1.1', 'HTTP/1.1', 'curl',
    'pending', 50, 7000, 1, 2, 0, 0,
    CAST('GET /v2/slow HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: text/plain' || char(13, 10) || 'Content-Length: 9' || char(13, 10) || char(13, 10) AS BLOB));
INSERT INTO open_exchange (id) VALUES (4);
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    upstream_version, process, outcome, send, wait, receive, client, upstream, request_kept, response_body, response_kept, response_sha256,
    request_head, response_head, request_messages, response_messages, upstream_stream)
VALUES (5, 1763690004000000, 60000, 'GET', 'https', 'api.example.test', 443, '/v2/events', 200, 'text/event-stream', 0, 22, 'HTTP/1.1',
    'HTTP/2', 'curl', 'completed', 40, 900, 59000, 1, 2, 0, 11, 22, x'cbf9f64931c33e4aeac8f405a512943a7c94ff95279958a188dae1816cd2b9f8',
    CAST('GET /v2/events HTTP/1.1' || char(13, 10) || 'Host: api.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/1.1 200 OK' || char(13, 10) || 'Content-Type: text/event-stream' || char(13, 10) || char(13, 10) AS BLOB), 0, 2, 9);
INSERT INTO exchange (id, started, duration, method, scheme, host, port, target, code, media_type, request_bytes, response_bytes, version,
    outcome, client, request_kept, response_body, response_kept, request_head, response_head, response_archived)
VALUES (6, 1763690005000000, 3000, 'GET', 'https', 'old.example.test', 443, '/page', 200, 'text/plain', 0, 25, 'HTTP/2', 'completed', 4, 0,
    13, 5, CAST('GET /page HTTP/2' || char(13, 10) || 'Host: old.example.test' || char(13, 10) || char(13, 10) AS BLOB),
    CAST('HTTP/2 200' || char(13, 10) || 'Content-Type: text/plain' || char(13, 10) || 'Content-Encoding: gzip' || char(13, 10) || char(13, 10) AS BLOB),
    '{"form":"text","kept":25,"size":5}');
INSERT INTO body_chunk (id, bytes) VALUES (3145728, CAST('[{"id":1,"name":"Library"}]' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (6291456, CAST('note=hello' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (9437184, CAST('half' AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (11534336, CAST('data: one' || char(10) || char(10) AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (11534337, CAST('data: two' || char(10) || char(10) AS BLOB));
INSERT INTO body_chunk (id, bytes) VALUES (13631488, CAST('kept.' AS BLOB));
INSERT INTO message (id, exchange, side, time, kind, opcode, wire_bytes, size, compressed, payload)
VALUES (1342177281, 5, 'response', 1763690004010000, 'event', 0, 11, 3, 0, CAST('one' AS BLOB));
INSERT INTO message (id, exchange, side, time, kind, opcode, wire_bytes, size, compressed, event_name, event_id, payload)
VALUES (1342177282, 5, 'response', 1763690004020000, 'event', 0, 11, 3, 0, 'news', '41', CAST('two' AS BLOB));
INSERT INTO capture_gap (id, count, started, ended, cause)
VALUES (1, 3, 1763690006000000, 1763690007000000, 'database or disk is full');
INSERT INTO mark (exchange, favourite, tags, note) VALUES (1, 1, 'campus,slow', 'The kitchen''s first.');
INSERT INTO session (first, name, started) VALUES (1, 'morning', 1763690000000000);
INSERT INTO saved_search (name, query) VALUES ('failures', 'outcome:failed');
INSERT INTO sequence (id, last) VALUES (1, 9);
INSERT INTO body_share (body, others) VALUES (3, 1);
INSERT INTO archive_import (id, name, state, started, count, first, last)
VALUES (1, 'week.har', 'done', 1763690005000000, 1, 6, 6);
INSERT INTO archive_import (id, name, state, started, count) VALUES (2, 'large.har', 'running', 1763690005500000, 0);

PRAGMA application_id = 1768846192;
PRAGMA user_version = 8;
