import { expect, test } from "vitest";
import { sinkCause, sinkNextStep } from "./sink-words.ts";
import { BREAKER, judged, relays, waits } from "./situation.fixture.ts";

test.each([
  ["server_error", "HTTP 500: boom", "answers everything with errors"],
  ["server_error", "HTTP 500: boom; it worked briefly 2 times in between", "answers mostly with errors"],
  ["timeout", "no answer within 2 s", "does not answer in time"],
  [
    "unavailable",
    "Kafka answered LEADER_NOT_AVAILABLE for partition 0 of the topic order",
    "does not accept the messages that were tried",
  ],
  ["timeout", "no answer within 2 s; it worked briefly once in between", "hardly ever answers in time"],
  [
    "unreachable",
    "HTTP 200, then the answer broke off: the receiver closed the connection without a complete answer (UND_ERR_SOCKET)",
    "cuts its answers short",
  ],
  [
    "unreachable",
    "Response does not match the HTTP/1.1 protocol (Expected HTTP/, RTSP/ or ICE/)",
    "gives answers that cannot be read",
  ],
  ["unreachable", "Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)", "gives answers that cannot be read"],
])("a sink that fails with %s (%s) %s", (code, message, trouble) => {
  expect(sinkCause({ sink: "gateway", code, message })).toBe(`the sink gateway ${trouble} (${message})`);
});

test.each([
  ["unreachable", "getaddrinfo ENOTFOUND receiver.example", /^Correct the host name .* DNS/],
  [
    "unreachable",
    "Hostname/IP does not match certificate's altnames (ERR_TLS_CERT_ALTNAME_INVALID)",
    /^Write the host name/,
  ],
  ["unreachable", "certificate has expired (CERT_HAS_EXPIRED)", /^Renew the receiver's certificate/],
  ["unreachable", "connect ECONNREFUSED 127.0.0.1:80", /^Bring the receiver back/],
  ["unreachable", "Headers Overflow Error (UND_ERR_HEADERS_OVERFLOW)", /^See what answers at the address of url/],
  ["timeout", "no answer within 30 s", /raise timeout/],
  ["server_error", "HTTP 500: boom", /receiver's own log/],
  ["unavailable", "Kafka answered NOT_ENOUGH_REPLICAS for partition 0 of the topic order", /under-min-isr/],
  ["unavailable", "LOADING Redis is loading the dataset in memory", /^Wait until the receiver has loaded/],
  ["unavailable", "READONLY You can't write against a read only replica", /address of the primary .* promote/],
  ["unavailable", "OOM command not allowed when used memory > 'maxmemory'", /^Free memory in Redis/],
  ["unavailable", "NOREPLICAS Not enough good replicas to write", /^Bring the replicas .* back/],
  ["timeout", "The stream did not confirm the message within 2000 ms.", /no_ack .* raise timeout/],
  ["unavailable", "HTTP 404: not found", /path of url .* correct url there/],
  ["unavailable", "HTTP 405", /with POST/],
  ["unavailable", "HTTP 200 with a web page, not a confirmation: Sign in", /^See what answered .* login page/],
  ["unavailable", "ERR max number of clients reached", /CLIENT LIST .* maxclients/],
  [
    "unavailable",
    "ConnectionOpen: NOT_ALLOWED - access to vhost '/' refused for user 'guest': connection limit (0) is reached",
    /list_connections .* set_vhost_limits/,
  ],
  [
    "unavailable",
    "NOT_ALLOWED - number of channels opened for user 'guest' has reached the maximum allowed user limit of (0)",
    /set_user_limits/,
  ],
  [
    "unavailable",
    "The stream orders: WRONGTYPE Operation against a key holding the wrong kind of value",
    /^Rename the key/,
  ],
  [
    "unavailable",
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist",
    /^Repair what keeps/,
  ],
  [
    "throttled",
    'No stream stored "orders.placed": resource limits exceeded for account (10002)',
    /^Raise the JetStream limits of the account, or .* nats account info .* until it is restarted/,
  ],
  [
    "throttled",
    'No stream stored "orders.placed": maximum bytes exceeded (10077)',
    /^Raise max_msgs or max_bytes .* Waiting helps only if something removes old messages/,
  ],
  [
    "unavailable",
    'No stream stored "orders.placed": invalid operation on sealed stream (10109)',
    /^Let another stream take the subject/,
  ],
  [
    "throttled",
    'No stream stored "orders.placed": maximum messages per subject exceeded (10077)',
    /^Raise max_msgs_per_subject of the stream/,
  ],
  [
    "unavailable",
    "JetStream is not available: the server answers no request of it",
    /^Switch JetStream on .* for the account/,
  ],
  [
    "timeout",
    "The broker did not confirm the message within 2000 ms",
    /majority of its members .* raise timeout .* drop repeats by message_id/,
  ],
  ["unavailable", "MOVED 7798 127.0.0.1:29201", /^Point url .* at a Redis that is not part of a cluster/],
  [
    "unavailable",
    "The stream orders: ERR The stream has exhausted the last possible ID, unable to add more items",
    /^This stream's newest entry .* Rename it once its consumers have read it/,
  ],
  [
    "unavailable",
    "ExchangeDeclare: NOT_FOUND - no exchange 'events' in vhost '/'. Make the exchange, or set declare: true for the sink",
    /^Pause the outbox .* bind the queues of all consumers .* then resume/,
  ],
  [
    "unavailable",
    "ConnectionOpen: NOT_ALLOWED - vhost shop not found",
    /^Create the virtual host that the error names/,
  ],
  [
    "unreachable",
    "HTTP 200, then the answer broke off: the receiver closed the connection without a complete answer (UND_ERR_SOCKET)",
    /^Find out in the logs of the receiver, .* drop repeats by the id/,
  ],
  ["throttled", "The broker blocks publishers: low on memory", /^Free memory or disk at the broker, .*disk_free_limit/],
  ["unavailable", "BUSY Redis is busy running a script", /SCRIPT KILL/],
  [
    "unavailable",
    "HTTP 308: the redirect to https://new.example/e is not followed",
    /^Correct url .*, or allow 307 and 308/,
  ],
  ["unavailable", "HTTP 301: the redirect to https://new.example/e is not followed", /^Correct url .* never followed/],
  [
    "unavailable",
    "HTTP 200 is not one of the statuses that confirm (setting confirms): <html>maintenance</html>",
    /^See what answered in the receiver's place, .* add it to confirms/,
  ],
  ["unavailable", "HTTP 308: There were more than 5 redirects.", /redirects in a loop/],
  [
    "unavailable",
    "HTTP 307: The redirect to http://a.example/ is refused: it leads from https to http.",
    /^Correct url .* names why/,
  ],
  [
    "unavailable",
    "The redirect to hooks.internal is refused: it resolves to 10.0.0.1, which is not a public address.",
    /^Correct url .* privateRedirects/,
  ],
])("the advice on %s (%s) fits it", (code, message, advice) => {
  expect(sinkNextStep({ code, message })).toMatch(advice);
});

test.each(["throttled", "unavailable"])("a receiver that asked for a long wait may be back sooner: %s", (code) => {
  const nextStep = (nextProbeAt: string) =>
    judged({
      figures: waits(30, 4),
      facts: { relays: relays({ breaker: { ...BREAKER, code, message: "HTTP 503", nextProbeAt } }) },
    }).causes[0]?.nextStep;
  expect(nextStep("2026-11-21T03:10:00Z")).toMatch(
    /asked the relay to wait .* resume it: the relay then tries at once\.$/,
  );
  expect(nextStep("2026-11-21T03:00:10Z")).not.toMatch(/tries at once/);
});
