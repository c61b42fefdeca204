import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (id: string, status: number, rest: Record<string, string | number> = {}) =>
  insertInto("sap_eventqueue_event", {
    id: `'${id}'`,
    type: "'mail'",
    subtype: "'send'",
    status,
    createdat: "'2020-01-01'",
    ...rest,
  });

export const sapEventqueueCase: LibraryCase = {
  slug: "sap-eventqueue",
  ddl: {
    postgres: `CREATE TABLE sap_eventqueue_event (id varchar(36) PRIMARY KEY, type varchar(255) NOT NULL, subtype varchar(255) NOT NULL, referenceentity varchar(255), referenceentitykey varchar(36),
        status integer NOT NULL DEFAULT 0, payload text, attempts integer NOT NULL DEFAULT 0, lastattempttimestamp timestamp, createdat timestamp, startafter timestamp, context text, error varchar(255));
      CREATE TABLE sap_eventqueue_lock (createdat timestamp, createdby varchar(255), modifiedat timestamp, modifiedby varchar(255), code varchar(255) NOT NULL UNIQUE, value varchar(255))`,
  },
  table: "sap_eventqueue_event",
  rows: [
    { key: "open", state: "pending", insert: insert("open", 0) },
    { key: "later", state: "pending", scheduled: true, insert: insert("later", 0, { startafter: "'2035-01-01'" }) },
    {
      key: "claimed",
      state: "in_flight",
      insert: insert("claimed", 1, { attempts: 1, lastattempttimestamp: "now() AT TIME ZONE 'UTC'" }),
    },
    {
      key: "left",
      state: "pending",
      insert: insert("left", 1, { attempts: 1, lastattempttimestamp: "'2020-01-01'" }),
    },
    { key: "undated", state: "in_flight", insert: insert("undated", 1, { attempts: 1 }) },
    {
      key: "done",
      state: "published",
      insert: insert("done", 2, { attempts: 1, lastattempttimestamp: "'2020-01-01'" }),
    },
    {
      key: "failing",
      state: "failed",
      insert: insert("failing", 3, { attempts: 1, lastattempttimestamp: "'2020-01-01'", error: "'refused'" }),
    },
    { key: "over", state: "dead", insert: insert("over", 4, { attempts: 3, lastattempttimestamp: "'2020-01-01'" }) },
    { key: "suspended", state: "unknown", insert: insert("suspended", 5) },
  ],
  claims: `SELECT id FROM sap_eventqueue_event WHERE (startafter IS NULL OR startafter <= {utc}) AND ((status = 0 AND (lastattempttimestamp IS NULL OR lastattempttimestamp <= {utc}))
    OR (status = 3 AND lastattempttimestamp <= {utc}) OR (status = 1 AND lastattempttimestamp <= {utc} - interval '210 s'))`,
};
