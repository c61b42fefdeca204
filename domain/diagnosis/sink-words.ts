import { ourCommand } from "#domain/text/our-command.ts";
import { asksForRoom, brokerRemedy, GOES_ON, PROBED } from "./broker-remedies.ts";

const TROUBLES: Record<string, string> = {
  unreachable: "cannot be reached",
  auth: "refuses our credentials",
  // A rate limit, a full queue or stream, or a broker that is short of memory.
  throttled: "takes no more messages for now",
  unavailable: "accepts nothing",
  too_large: "accepts nothing",
  unroutable: "has nowhere to put the messages",
  // A broker's own words for "our format, clock or compression", never about one message.
  rejected: "accepts nothing",
  timeout: "does not answer in time",
  server_error: "answers everything with errors",
};

/** The same of a sink that worked in between: it does not do so always. */
const TROUBLES_AT_TIMES: Record<string, string> = {
  auth: "refuses our credentials most of the time",
  throttled: "takes messages only at times",
  unavailable: "accepts almost nothing",
  rejected: "accepts almost nothing",
  timeout: "hardly ever answers in time",
  server_error: "answers mostly with errors",
};
/** As the relay's breaker notes it. */
const AT_TIMES = /; it worked briefly /;

/** What failed has also worked since the first failure. */
export function worksAtTimes({ message }: { message: string }): boolean {
  return AT_TIMES.test(message);
}

const REPAIR = `Fix at the receiver what the error names. ${PROBED}`;
const BRING_BACK = `Bring the receiver back, or correct its address. ${PROBED}`;
const NEXT_STEPS: Record<string, string> = {
  auth: `Correct the credentials in the sink's section of outbox.yaml and restart the worker, or grant them the permission on the receiver's side. ${PROBED}`,
  unroutable: `Create the topic, queue, binding or stream that the error names, or correct relay.route in outbox.yaml and restart the worker (${ourCommand("doctor")} lists what is missing, where the broker can be asked). ${PROBED}`,
  server_error: `Read the receiver's own log for the error, and repair it. ${PROBED}`,
  timeout: `See why the receiver takes so long. If it needs the time, raise timeout in the sink's section of outbox.yaml and restart the worker. ${PROBED}`,
  unavailable: REPAIR,
  too_large: REPAIR,
  rejected: REPAIR,
  throttled:
    "Raise the receiver's limit or make room in it, or wait: the relay tries again when the receiver asked it to, or after a growing wait, and then continues in order.",
};

/** Not the receiver's answer. */
const ASKED_BY_PROXY = `Let the proxy between the worker and the receiver pass the worker's requests, or give url in the sink's section of outbox.yaml an address that does not lead through it, and restart the worker. ${PROBED}`;

const PROXY = /^HTTP 407\b/;

/** The receiver took the request, and the connection ended before its answer did. */
const NO_WHOLE_ANSWER = /\bthe receiver (?:closed|reset) the connection without a complete answer\b/;
const CUT_SHORT = `Find out in the logs of the receiver, and of any proxy before it, why the connection ends before the answer. The receiver may already have the messages and gets them again: consumers drop repeats by the id. ${PROBED}`;

/** Something answers that does not speak HTTP, or sends more headers than are read. */
const UNREADABLE_ANSWER = /\bdoes not match the HTTP\/1\.1 protocol\b|\bUND_ERR_HEADERS_OVERFLOW\b/;
const SEE_WHAT_ANSWERS = `See what answers at the address of url in the sink's section of outbox.yaml: another service, a proxy, or a receiver with more than 16 KB of headers. Correct url and restart the worker, or repair the receiver. It may already have the messages and gets them again: consumers drop repeats by the id. ${PROBED}`;

/** The receiver knows us, and we may not publish: in the words of Kafka, RabbitMQ, NATS, Redis and HTTP. */
const FORBIDDEN = /AUTHORIZATION_FAILED|permission|NOPERM|\baccess to .* refused|^HTTP 403\b/i;
const PERMIT = `Grant the sink's account the permission that the error names, on the receiver's side. ${PROBED}`;

/** What an answer that redirects needs, by the words of the http sink. */
const REDIRECTS: readonly [RegExp, string][] = [
  [
    /^(?:HTTP 3\d\d: )?The redirect to .* is not a public address/,
    `Correct url in the sink's section of outbox.yaml, so that it leads to the receiver itself, or allow private addresses there with privateRedirects, and restart the worker. ${GOES_ON}`,
  ],
  [
    /^HTTP 3\d\d: There were more than \d+ redirects/,
    `See at the receiver whether it redirects in a loop. If it does not, correct url in the sink's section of outbox.yaml, so that it leads to the receiver itself, or raise redirects there, and restart the worker. ${GOES_ON}`,
  ],
  [
    /^HTTP 3\d\d: The redirect .*is refused/,
    `Correct url in the sink's section of outbox.yaml, so that it leads to the receiver itself, and restart the worker; the error names why this redirect cannot be followed. ${GOES_ON}`,
  ],
  [
    /^HTTP 30[78]\b/,
    `Correct url in the sink's section of outbox.yaml, or allow 307 and 308 there with redirects, and restart the worker. ${GOES_ON}`,
  ],
  [
    /^HTTP 3\d\d\b/,
    `Correct url in the sink's section of outbox.yaml, so that it leads to the receiver itself, and restart the worker: a redirect with this status is never followed, because it turns the POST into a GET without the message. ${GOES_ON}`,
  ],
];

const SAME_CREDENTIALS = `Some of the receiver's servers accept our credentials and some do not: give them all the same ones. If they are being replaced, correct them in the sink's section of outbox.yaml and restart the worker. ${PROBED}`;

/** A connection that could not be made, by Node's code or OpenSSL's words in the error. */
const CONNECTIONS: readonly [RegExp, string][] = [
  [
    /ALTNAME_INVALID/,
    `Write the host name that the certificate has into the address in the sink's section of outbox.yaml, or into tls.serverName there, and restart the worker; or give the receiver a certificate for the name that is there. ${PROBED}`,
  ],
  [
    /\b(?:ENOTFOUND|EAI_AGAIN)\b/,
    `Correct the host name in the sink's section of outbox.yaml and restart the worker, or correct the record in the DNS server that the worker's host uses. ${PROBED}`,
  ],
  [
    /\bCERT_HAS_EXPIRED\b/,
    `Renew the receiver's certificate, or that of the authority in tls.ca in the sink's section of outbox.yaml, and restart the worker after the latter. ${PROBED}`,
  ],
  [
    /\bCERT_NOT_YET_VALID\b/,
    `Correct the clock of the worker's host, or give the receiver a certificate that is valid already. ${PROBED}`,
  ],
  [
    /not signed by a trusted authority|self-signed and not trusted/,
    `Name the authority that signed the receiver's certificate in tls.ca in the sink's section of outbox.yaml and restart the worker, or give the receiver a certificate of an authority that is trusted here. ${PROBED}`,
  ],
  [
    /\bthe port answers without TLS\b/,
    `Correct the port in the sink's section of outbox.yaml, or switch TLS off there (tls: false, and http, amqp or redis without an s), and restart the worker; or switch TLS on at the receiver. ${PROBED}`,
  ],
];
/** The receiver wants another certificate than ours, or ours cannot be used. */
const CERTIFICATE = `Renew the certificate, or correct tls (ca, cert, key) in the sink's section of outbox.yaml and restart the worker. ${PROBED}`;
const THROTTLED_BRIEFLY =
  "The relay tries again when the receiver asked it to, or after a growing wait, and then continues in order. If the error names a full queue or stream, or memory or disk of the receiver, make room there: waiting alone does not.";

const OTHER_STATUS = `See what answered in the receiver's place, such as a page of a proxy. If the status is the receiver's own and confirms a message, add it to confirms in the sink's section of outbox.yaml and restart the worker. ${PROBED}`;

/** A login page or a proxy's page: the receiver did not answer. */
const WEB_PAGE = /^HTTP 2\d\d with a web page\b/;
const BEHIND_A_PAGE = `See what answered in the receiver's place: a login page, a proxy or a maintenance page. Let the worker's requests through to the receiver, or correct url or the credentials (headers) in the sink's section of outbox.yaml and restart the worker. ${PROBED}`;

/** The receiver answers, and has nothing that takes messages under the path. */
const NO_SUCH_PATH = /^HTTP (?:404|405|410)\b/;
const CORRECT_PATH = `See whether the receiver still takes messages under the path of url in the sink's section of outbox.yaml, and with POST: bring that back, or correct url there and restart the worker. ${PROBED}`;

const OPEN_FILES =
  "Raise the limit of open files of the worker (LimitNOFILE of its unit, ulimit -n) and restart it: the receiver is not to blame. The relay then delivers everything in order; there is nothing to retry here.";

/** Of Kafka, about one partition: others may accept what is for them. */
const OF_PARTITION = /\bpartition \d+ of the topic\b/;

/** In the words of Kafka, NATS and Redis: an error about one topic, partition, subject or stream; others may work. */
const OF_PART = /\bpartition \d+ of the topic\b|\bfor the topic\b|^No stream (?:stored|takes|answers)\b|^The stream /;

export function isOfPart(message: string): boolean {
  return OF_PART.test(message);
}

/** What a person may do about a sink that fails like this. `briefly`: its messages are not late. */
export function sinkNextStep(breaker: { code: string; message: string }, { briefly = false } = {}): string {
  if (briefly && breaker.code === "throttled" && !asksForRoom(breaker.message)) return THROTTLED_BRIEFLY;
  if (breaker.code === "auth" && !isForbidden(breaker) && worksAtTimes(breaker)) return SAME_CREDENTIALS;
  return stepOfError(breaker) ?? (isForbidden(breaker) ? PERMIT : (NEXT_STEPS[breaker.code] ?? BRING_BACK));
}

/**
 * The same where the error itself says what it takes, whether the whole sink fails or one type; null where it does not.
 */
export function stepOfError(breaker: { code: string; message: string }): string | null {
  if (/\bE[MN]FILE\b/.test(breaker.message)) return OPEN_FILES;
  const connection = CONNECTIONS.find(([words]) => words.test(breaker.message));
  if (connection) return connection[1];
  if (breaker.code === "unreachable" && /certificate|\bCERT_/i.test(breaker.message)) return CERTIFICATE;
  if (/is not one of the statuses that confirm/.test(breaker.message)) return OTHER_STATUS;
  if (WEB_PAGE.test(breaker.message)) return BEHIND_A_PAGE;
  if (NO_SUCH_PATH.test(breaker.message)) return CORRECT_PATH;
  const redirect = REDIRECTS.find(([words]) => words.test(breaker.message));
  if (redirect) return redirect[1];
  if (PROXY.test(breaker.message)) return ASKED_BY_PROXY;
  if (NO_WHOLE_ANSWER.test(breaker.message)) return CUT_SHORT;
  if (UNREADABLE_ANSWER.test(breaker.message)) return SEE_WHAT_ANSWERS;
  return brokerRemedy(breaker.message);
}

/** Why a sink cannot be used: our words first, then the client's own message. */
export function sinkCause(breaker: { sink: string; code: string; message: string }): string {
  if (/\bE[MN]FILE\b/.test(breaker.message))
    return `the relay has too many open files to reach the sink ${breaker.sink} (${breaker.message})`;
  if (PROXY.test(breaker.message))
    return `a proxy on the way to the sink ${breaker.sink} asks for credentials (${breaker.message})`;
  const atTimes = worksAtTimes(breaker) ? TROUBLES_AT_TIMES[breaker.code] : undefined;
  const ofPartition =
    breaker.code === "unavailable" && OF_PARTITION.test(breaker.message)
      ? "does not accept the messages that were tried"
      : undefined;
  if (NO_WHOLE_ANSWER.test(breaker.message))
    return `the sink ${breaker.sink} cuts its answers short (${breaker.message})`;
  if (UNREADABLE_ANSWER.test(breaker.message))
    return `the sink ${breaker.sink} gives answers that cannot be read (${breaker.message})`;
  const trouble = isForbidden(breaker)
    ? "does not let us publish"
    : (atTimes ?? ofPartition ?? TROUBLES[breaker.code] ?? "cannot be used");
  return `the sink ${breaker.sink} ${trouble} (${breaker.message})`;
}

export function isForbidden({ code, message }: { code: string; message: string }): boolean {
  return code === "auth" && FORBIDDEN.test(message);
}
