import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: string, rest: Record<string, string | number> = {}) =>
  insertInto("outbox_messages", {
    id: `'${idOf(n)}'`,
    type: "'placed'",
    payload: "'{}'",
    status: `'${status}'`,
    available_at: "'2020-01-01'",
    created_at: "'2020-01-01'",
    updated_at: "'2020-01-01'",
    ...rest,
  });
const ddlOf = (
  uuid: string,
  time: string,
) => `CREATE TABLE outbox_messages (id ${uuid} PRIMARY KEY, type varchar(255) NOT NULL, payload json NOT NULL, headers json, status varchar(255) NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0, available_at ${time} NULL, dispatched_at ${time} NULL, failed_at ${time} NULL, last_error text, created_at ${time} NULL, updated_at ${time} NULL)`;

const rows = (now: string): LibraryCase["rows"] => [
  { key: idOf(1), state: "pending", insert: insert(1, "pending") },
  { key: idOf(2), state: "pending", scheduled: true, insert: insert(2, "pending", { available_at: "'2035-01-01'" }) },
  { key: idOf(3), state: "unknown", insert: insert(3, "pending", { available_at: "NULL" }) },
  { key: idOf(4), state: "failed", insert: insert(4, "pending", { attempts: 2, last_error: "'refused'" }) },
  { key: idOf(5), state: "in_flight", insert: insert(5, "processing", { updated_at: now }) },
  { key: idOf(6), state: "pending", insert: insert(6, "processing") },
  { key: idOf(12), state: "in_flight", insert: insert(12, "processing", { updated_at: now, available_at: "NULL" }) },
  { key: idOf(7), state: "in_flight", insert: insert(7, "processing", { updated_at: "NULL" }) },
  { key: idOf(8), state: "published", insert: insert(8, "published", { dispatched_at: "'2020-01-01'" }) },
  { key: idOf(9), state: "dead", insert: insert(9, "failed", { attempts: 10, failed_at: "'2020-01-01'" }) },
  { key: idOf(10), state: "dead", insert: insert(10, "pending", { attempts: 10 }) },
  { key: idOf(11), state: "dead", insert: insert(11, "failed", { attempts: 1, available_at: "NULL" }) },
];
const FIXED = {
  slug: "webrek",
  table: "outbox_messages",
  claims:
    "SELECT id FROM outbox_messages WHERE attempts < 10 AND available_at <= {utc} AND (status = 'pending' OR (status = 'processing' AND updated_at <= {utc} - INTERVAL '300' SECOND))",
};

export const webrekCases: readonly LibraryCase[] = [
  { ...FIXED, ddl: { postgres: ddlOf("uuid", "timestamp(0)") }, rows: rows("now() AT TIME ZONE 'UTC'") },
  { ...FIXED, ddl: { mysql: ddlOf("char(36)", "timestamp") }, rows: rows("now()") },
];
