import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, rest: Record<string, string | number> = {}) =>
  insertInto("cds_outbox_messages", {
    id: `'${id}'`,
    timestamp: "'2020-01-01'",
    target: "'mail'",
    msg: "'{}'",
    ...rest,
  });
const COLUMNS =
  "id varchar(36) PRIMARY KEY, timestamp timestamp, target varchar(255), msg text, attempts integer DEFAULT 0, partition integer DEFAULT 0, lasterror text, lastattempttimestamp timestamp";

export const sapCapCase: LibraryCase = {
  slug: "sap-cap",
  ddl: {
    postgres: `CREATE TABLE cds_outbox_messages (${COLUMNS}, status varchar(23), task varchar(255), appid varchar(255))`,
  },
  table: "cds_outbox_messages",
  rows: [
    { key: "new", state: "pending", insert: insert("new") },
    { key: "failing", state: "failed", insert: insert("failing", { attempts: 3, lasterror: "'refused'" }) },
    { key: "over", state: "dead", insert: insert("over", { attempts: 10, lasterror: "'refused'" }) },
    { key: "uncounted", state: "unknown", insert: insert("uncounted", { attempts: "NULL" }) },
    {
      key: "claimed",
      state: "in_flight",
      insert: insert("claimed", { status: "'processing'", lastattempttimestamp: "now() AT TIME ZONE 'UTC'" }),
    },
    {
      key: "left",
      state: "pending",
      insert: insert("left", { status: "'processing'", lastattempttimestamp: "'2020-01-01'" }),
    },
    { key: "undated", state: "in_flight", insert: insert("undated", { status: "'processing'" }) },
  ],
  claims:
    "SELECT id FROM cds_outbox_messages WHERE attempts < 10 AND (status IS NULL OR status <> 'processing' OR lastattempttimestamp < {utc} - interval '1 hour')",
};

export const sapCapWithoutStatusCase: LibraryCase = {
  slug: "sap-cap-8",
  ddl: { postgres: `CREATE TABLE cds_outbox_messages (${COLUMNS})` },
  table: "cds_outbox_messages",
  rows: [
    { key: "new", state: "pending", insert: insert("new") },
    { key: "failing", state: "failed", insert: insert("failing", { attempts: 3, lasterror: "'refused'" }) },
    { key: "over", state: "dead", insert: insert("over", { attempts: 20, lasterror: "'refused'" }) },
  ],
  claims: "SELECT id FROM cds_outbox_messages WHERE attempts < 10",
};
