import { idOf, insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const insert = (n: number, status: number, expires: string, retry = 0) =>
  insertInto("published", {
    id: `'${idOf(n)}'`,
    destination: "'orders'",
    body: "'{}'",
    added: "'2020-01-01'",
    expires_at: `'${expires}'`,
    retry,
    status,
    headers: "'{}'",
  });
const [PAST, FUTURE] = ["2020-01-02", "2035-01-01"];
const ddlOf = (
  uuid: string,
  json: string,
  time: string,
) => `CREATE TABLE published (id ${uuid} NOT NULL PRIMARY KEY, version varchar(100), destination varchar(255) NOT NULL, body ${json} NOT NULL,
    added ${time} NOT NULL, expires_at ${time} NOT NULL, retry integer NOT NULL, status integer NOT NULL, headers ${json} NOT NULL);
  CREATE TABLE received (id ${uuid} NOT NULL PRIMARY KEY, msg_id varchar(100) UNIQUE, headers ${json}, body ${json}, added ${time} NOT NULL, expires_at ${time} NOT NULL, retry integer NOT NULL, status integer NOT NULL)`;

export const djangoOutboxPatternCase: LibraryCase = {
  slug: "django-outbox-pattern",
  ddl: { postgres: ddlOf("uuid", "jsonb", "timestamptz"), mysql: ddlOf("char(36)", "json", "datetime(6)") },
  table: "published",
  rows: [
    { key: idOf(1), state: "pending", insert: insert(1, 1, FUTURE) },
    { key: idOf(2), state: "expired", insert: insert(2, 1, PAST) },
    { key: idOf(3), state: "published", insert: insert(3, 2, FUTURE, 1) },
    { key: idOf(4), state: "published", insert: insert(4, 2, PAST, 1) },
    { key: idOf(5), state: "dead", insert: insert(5, -1, FUTURE, 50) },
    { key: idOf(6), state: "dead", insert: insert(6, -1, PAST, 50) },
  ],
  claims: "SELECT id FROM published WHERE status = 1 AND expires_at >= {now}",
};
