import { startWireProxy, type WireMessage, type WireWatcher } from "./wire-proxy.ts";

/** One statement on its way to the server: a query without parameters, or one execution of a prepared statement. */
export interface RecordedStatement {
  /** Empty if it was not prepared under a name. */
  name: string;
  text: string;
  /** Its parameters as texts; a binary one as the text of a bytea. */
  values: (string | null)[];
  /** Of the connection, as given when it was opened. */
  applicationName: string;
  /** Of `performance.now()`. */
  sentAtMs: number;
  /** From then until its answer was complete; null while it is not. */
  tookMs: number | null;
  rows: number;
  failed: boolean;
}

export interface StatementRecorder {
  /** The database's URL, with the recorder between. */
  url: string;
  /** Everything sent since the start or the last `forget`, except what the server skipped after an error before it. */
  readonly statements: readonly RecordedStatement[];
  /** Texts of the server's notices since then. */
  readonly notices: readonly string[];
  forget(): void;
  close(): Promise<void>;
}

interface Waiting {
  statement: RecordedStatement;
  /** Answered by a ReadyForQuery only, however many commands it holds. */
  simple: boolean;
}

type Prepared = Pick<RecordedStatement, "name" | "text" | "values">;

/** A proxy to a Postgres server that records its clients' statements. */
export async function startStatementRecorder(databaseUrl: string): Promise<StatementRecorder> {
  const statements = new Set<RecordedStatement>();
  const notices: string[] = [];
  const target = new URL(databaseUrl);
  const watchConnection = () =>
    watch({
      sent: (statement) => void statements.add(statement),
      skipped: (statement) => void statements.delete(statement),
      noticed: (text) => void notices.push(text),
    });
  const proxy = await startWireProxy({ host: target.hostname, port: Number(target.port || 5432) }, watchConnection);
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  return {
    url: url.toString(),
    get statements() {
      return [...statements];
    },
    notices,
    forget: () => {
      statements.clear();
      notices.length = 0;
    },
    close: () => proxy.close(),
  };
}

function watch(events: {
  sent: (statement: RecordedStatement) => void;
  skipped: (statement: RecordedStatement) => void;
  noticed: (text: string) => void;
}): WireWatcher {
  let applicationName = "";
  const texts = new Map<string, string>();
  const portals = new Map<string, Prepared>();
  /** Unanswered statements, by the ReadyForQuery that ends their answer; the start-up ends in one too. */
  const trips: Waiting[][] = [[], []];

  const send = (prepared: Prepared, simple: boolean) => {
    const sentAtMs = performance.now();
    const statement = { ...prepared, applicationName, sentAtMs, tookMs: null, rows: 0, failed: false };
    trips.at(-1)?.push({ statement, simple });
    events.sent(statement);
  };
  const complete = ({ statement }: Waiting) => {
    statement.tookMs = performance.now() - statement.sentAtMs;
  };
  /** The end of one command's answer. A simple query may hold more commands. */
  const completeFirst = () => {
    const [first] = trips[0] ?? [];
    if (!first || first.simple) return;
    complete(first);
    trips[0]?.shift();
  };

  const client: Record<string, (fields: Fields) => void> = {
    Q: (fields) => {
      const text = fields.text();
      const [, name, prepared] = /^PREPARE (\w+) AS (.*)$/s.exec(text) ?? [];
      if (name && prepared) texts.set(name, prepared);
      send({ name: "", text, values: [] }, true);
      trips.push([]);
    },
    // Parse
    P: (fields) => texts.set(fields.text(), fields.text()),
    // Bind
    B: (fields) => {
      const [portal, name] = [fields.text(), fields.text()];
      portals.set(portal, { name, text: texts.get(name) ?? "", values: parameters(fields) });
    },
    // Execute
    E: (fields) => {
      const prepared = portals.get(fields.text());
      if (prepared) send(prepared, false);
    },
    // Sync
    S: () => trips.push([]),
  };
  const server: Record<string, (fields: Fields) => void> = {
    // DataRow
    D: () => {
      const [first] = trips[0] ?? [];
      if (first) first.statement.rows++;
    },
    // CommandComplete, EmptyQueryResponse, PortalSuspended
    C: completeFirst,
    I: completeFirst,
    s: completeFirst,
    // ErrorResponse
    E: () => {
      const [first] = trips[0] ?? [];
      if (first) first.statement.failed = true;
      completeFirst();
    },
    // NoticeResponse
    N: (fields) => events.noticed(messageOf(fields)),
    // ReadyForQuery
    Z: () => {
      for (const waiting of trips.shift() ?? []) {
        if (waiting.simple) complete(waiting);
        else events.skipped(waiting.statement);
      }
    },
  };
  const read = (handlers: typeof client) => (message: WireMessage) => {
    handlers[message.type]?.(fieldsOf(message.bytes, 5));
    return true;
  };
  return {
    fromStartup: (packet) => {
      applicationName = startupParameters(packet).get("application_name") ?? "";
    },
    fromClient: read(client),
    fromServer: read(server),
  };
}

type Fields = ReturnType<typeof fieldsOf>;

/** Reads a message's fields one after another. */
function fieldsOf(bytes: Buffer, start: number) {
  let at = start;
  return {
    int16: () => {
      at += 2;
      return bytes.readInt16BE(at - 2);
    },
    int32: () => {
      at += 4;
      return bytes.readInt32BE(at - 4);
    },
    bytes: (length: number) => {
      at += length;
      return bytes.subarray(at - length, at);
    },
    /** Up to the next zero byte. */
    text: () => {
      const end = bytes.indexOf(0, at);
      const text = bytes.toString("utf8", at, end);
      at = end + 1;
      return text;
    },
  };
}

function parameters(fields: Fields): (string | null)[] {
  const formats = Array.from({ length: fields.int16() }, fields.int16);
  return Array.from({ length: fields.int16() }, (_, index) => {
    const length = fields.int32();
    if (length < 0) return null;
    const format = formats.length === 1 ? formats[0] : formats[index];
    const bytes = fields.bytes(length);
    return format === 1 ? `\\x${bytes.toString("hex")}` : bytes.toString("utf8");
  });
}

function startupParameters(packet: Buffer): Map<string, string> {
  const fields = fieldsOf(packet, 8);
  const found = new Map<string, string>();
  for (let name = fields.text(); name !== ""; name = fields.text()) found.set(name, fields.text());
  return found;
}

function messageOf(fields: Fields): string {
  for (let code = fields.bytes(1).toString(); code !== "\0"; code = fields.bytes(1).toString()) {
    const text = fields.text();
    if (code === "M") return text;
  }
  return "";
}
