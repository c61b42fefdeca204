import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import type { CatalogTable } from "../stores/port/catalog.ts";
import { openPostgresStore } from "../stores/postgres/open-postgres-store.ts";
import { candidates } from "./candidates.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import type { MappingOverrides } from "./overrides.ts";
import { recogniseOutbox } from "./recognise.ts";

const UUID = "id uuid PRIMARY KEY DEFAULT gen_random_uuid(), event_type text NOT NULL, payload jsonb NOT NULL";
const TIME = "created_at timestamptz NOT NULL DEFAULT now()";
const LAYOUT = `${UUID}, aggregate_type text NOT NULL, aggregate_id text NOT NULL, ${TIME}, published_at timestamptz`;
const STATUS_LAYOUT = `outbox_id varchar(36) PRIMARY KEY, event_type varchar(50), aggregate_id varchar(50), aggregate_type varchar(50),
  operation varchar(50), payload text, created_at varchar(14), published_at varchar(14), status varchar(20) DEFAULT 'PENDING'`;
const TABLES = [
  `CREATE TABLE outbox_layout (${LAYOUT}, compressed boolean NOT NULL DEFAULT false, updated_at timestamptz, timestamp timestamptz)`,
  `CREATE TABLE outbox_layout_measured (${LAYOUT}, sent_bytes integer NOT NULL DEFAULT 0, published_version integer NOT NULL DEFAULT 0, sent_size integer NOT NULL DEFAULT 0,
    published_offset integer NOT NULL DEFAULT -1, delivery_mode text NOT NULL DEFAULT 'persistent', content_mode text NOT NULL DEFAULT 'structured', ack_mode text DEFAULT 'auto')`,
  `CREATE TABLE outbox_layout_shadow (${LAYOUT}, shadow boolean NOT NULL DEFAULT false)`,
  `CREATE TABLE outbox_layout_closed (${LAYOUT}, closed_at timestamptz)`,
  `CREATE TABLE outbox_layout_words (${STATUS_LAYOUT}, shadow boolean NOT NULL DEFAULT false)`,
  `CREATE TABLE outbox_waiting (${UUID}, pending boolean NOT NULL DEFAULT true, ${TIME})`,
  `CREATE TABLE outbox_nullable (${UUID}, delivered boolean, ${TIME})`,
  `CREATE TABLE outbox_document (${UUID}, status jsonb NOT NULL DEFAULT '{}', ${TIME})`,
  `CREATE TABLE outbox_computed (${UUID}, meta jsonb, status text GENERATED ALWAYS AS (meta->>'status') STORED, ${TIME})`,
  `CREATE TABLE outbox_current (${UUID}, current_state text NOT NULL DEFAULT 'CREATED', publish_dttm timestamptz, ${TIME})`,
  `CREATE TABLE msg_out (msg_seq bigint PRIMARY KEY, msg_typ_cd text NOT NULL, msg_txt text NOT NULL, publish_ind char(1) NOT NULL DEFAULT 'N', ins_dttm timestamp NOT NULL DEFAULT now())`,
  `CREATE TABLE outbox_subject (${UUID}, delivery_status text NOT NULL DEFAULT 'PENDING' CHECK (delivery_status IN ('PENDING','DELIVERED')), published_at timestamptz, ${TIME})`,
  `CREATE TABLE outbox_left (${UUID}, attempts int NOT NULL DEFAULT 0, next_attempt_at timestamptz, sent_at timestamptz, ${TIME})`,
  `CREATE TABLE outbox_several (${UUID}, kafka_status text DEFAULT 'NEW', search_status text DEFAULT 'NEW', ${TIME})`,
  "CREATE TABLE outbox_states (id smallint PRIMARY KEY, name text)",
  `CREATE TABLE outbox_codes (${UUID}, status_id smallint NOT NULL DEFAULT 1 REFERENCES outbox_states, ${TIME})`,
  `CREATE TABLE outbox_records (${UUID}, status char(1) NOT NULL DEFAULT 'A', sent_at timestamptz, ${TIME})`,
  "INSERT INTO outbox_records (event_type, payload, status) VALUES ('a', '{}', 'A'), ('a', '{}', 'D')",
  "CREATE TABLE outbox_seconds (id bigserial PRIMARY KEY, topic text NOT NULL, payload bytea NOT NULL, created_at bigint NOT NULL, sent_at bigint NOT NULL)",
  `CREATE TABLE outbox_always (${UUID}, sent_at timestamptz NOT NULL DEFAULT now(), ${TIME})`,
  `CREATE TABLE outbox_words (${UUID}, state text NOT NULL DEFAULT 'NEW' CHECK (state IN ('NEW','SENT','ERROR','SHELF')), ${TIME})`,
  `CREATE TABLE outbox_wordless (${UUID}, status text, ${TIME})`,
  `CREATE TABLE outbox_letters (${UUID}, dead char(1) NOT NULL DEFAULT 'N', sent_at timestamptz, ${TIME})`,
  `CREATE TABLE outbox_approvals (${UUID}, approved_at bigint, published_at bigint, ${TIME})`,
  `CREATE TABLE outbox_texts (${UUID}, status_message text, published_at timestamptz, ${TIME})`,
  `CREATE TABLE outbox_places (${UUID}, delivered_to text NOT NULL DEFAULT '', ${TIME})`,
  `CREATE TABLE outbox_bare (${UUID}, state text, ${TIME})`,
  "INSERT INTO outbox_bare (event_type, payload, state) VALUES ('a', '{}', NULL), ('a', '{}', 'sent')",
  `CREATE TABLE outbox_bare_beside (${UUID}, state text, ${TIME}); CREATE INDEX ON outbox_bare_beside (id) WHERE state IS NULL`,
  "INSERT INTO outbox_bare_beside (event_type, payload, state) VALUES ('a', '{}', NULL), ('a', '{}', 'new'), ('a', '{}', 'sent')",
  `CREATE TABLE outbox_bare_found (${UUID}, state text, ${TIME}); CREATE INDEX ON outbox_bare_found (id) WHERE state IS NULL`,
  "INSERT INTO outbox_bare_found (event_type, payload, state) VALUES ('a', '{}', NULL), ('a', '{}', 'sent')",
  `CREATE TABLE outbox_tenants (tenant int, id bigint, event_type text, payload jsonb, sent_at timestamptz, PRIMARY KEY (tenant, id))`,
  `CREATE TABLE integration_events (${UUID}, direction text NOT NULL, processed_at timestamptz, ${TIME}, aggregate_id text)`,
  `CREATE TABLE outbox_inbox (${UUID}, is_inbound boolean NOT NULL, processed_at timestamptz, ${TIME})`,
  `CREATE TABLE staged_messages (${UUID}, sent_at timestamptz, ${TIME})`,
  `CREATE TABLE outgoing_queue_events (${UUID}, ${TIME}, retry_count int NOT NULL DEFAULT 0, locked_until timestamptz)`,
  "CREATE TABLE outbox_of_tenants (tenant_id uuid, seq bigint, event_type text, body jsonb NOT NULL, sent_at timestamptz, PRIMARY KEY (tenant_id, seq))",
  "CREATE TABLE nachrichten_ausgang (mandant int, lfd_nr bigint, objekt_id text, nutzdaten text NOT NULL, versendet_datum date, versendet_zeit time, versuche int NOT NULL, fehlertext text, PRIMARY KEY (mandant, lfd_nr))",
  `CREATE TABLE outbox_said (${UUID}, published_at timestamptz, publication_attempts int NOT NULL, publication_error text, ${TIME})`,
  `CREATE TABLE outbox_error_texts (${UUID}, published_at timestamptz, attempts int NOT NULL, publish_error_message text, ${TIME})`,
  `CREATE TABLE outbox_numbered (${UUID}, state int NOT NULL, ${TIME})`,
  "INSERT INTO outbox_numbered (event_type, payload, state) SELECT 'a', '{}', n FROM unnest('{10,2,2,10,10,0}'::int[]) n",
  `CREATE TABLE outbox_packed (id uuid PRIMARY KEY, type text NOT NULL, compressed_payload bytea NOT NULL, ${TIME}, sent_at timestamptz)`,
  "CREATE TABLE buzon_salida (id_msj bigserial PRIMARY KEY, cod_agregado text, tpo_evento text NOT NULL, cuerpo text NOT NULL, fch_alta timestamp NOT NULL DEFAULT now(), fch_envio timestamp, fch_prox_intento timestamp, nro_intentos int NOT NULL DEFAULT 0, ult_error text)",
  `CREATE TABLE orders (id bigserial PRIMARY KEY, total numeric, sent_to_kafka boolean NOT NULL DEFAULT false, ${TIME})`,
  "CREATE TABLE factures (id bigserial PRIMARY KEY, montant numeric, publie_kafka char(1) NOT NULL DEFAULT 'N')",
  `CREATE TABLE customers (id bigserial PRIMARY KEY, data jsonb NOT NULL, event_published_at timestamptz, ${TIME})`,
  `CREATE TABLE letters (id bigserial PRIMARY KEY, body text NOT NULL, sent_at timestamptz, ${TIME})`,
  "CREATE TABLE topics (id bigserial PRIMARY KEY, kafka_topic text NOT NULL, kafka_sent_count int NOT NULL DEFAULT 0)",
  'CREATE TABLE "发件箱" ("编号" uuid PRIMARY KEY, "东西" jsonb NOT NULL, "状态" text NOT NULL)',
];

const database = testDatabase("empty");
let tables: readonly CatalogTable[];
beforeAll(async () => {
  await database().pool.query(TABLES.join("; "));
  const store = openPostgresStore({ name: "shop", url: database().url, applicationName: "test" });
  tables = await readLooked(store);
  await store.close();
});

function recognised(name: string, overrides: Partial<MappingOverrides> = {}) {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no table ${name}`);
  const found = recogniseOutbox(table, tables, { columns: {}, timeZone: "UTC", ...overrides });
  if ("problem" in found) throw new Error(found.problem);
  return found;
}

describe("a layout that is known", () => {
  test("is not asked about with columns that say nothing of sending", () => {
    expect(recognised("outbox_layout").question).toBeNull();
    expect(recognised("outbox_layout_measured").question).toBeNull();
  });

  test.each([
    ["outbox_layout_shadow", "of an unknown state when shadow is true, until this is answered"],
    ["outbox_layout_closed", "of an unknown state when closed_at is set, until this is answered"],
    ["outbox_layout_words", "of an unknown state when shadow is true, until this is answered"],
  ])("is asked about with a column of unknown meaning: %s", (name, says) => {
    expect(recognised(name).question).toContain(says);
  });

  test("is not asked about where our own relay publishes it", () => {
    expect(recognised("outbox_layout_shadow", { ownRelay: true }).question).toBeNull();
    expect(recognised("outbox_layout_words", { ownRelay: true }).question).toBeNull();
  });
});

describe("what two columns leave open is asked, and answered by the name of one", () => {
  test.each([
    [
      "outbox_subject",
      "A published row is of an unknown state when published_at is not set",
      { status: "delivery_status" },
    ],
    [
      "outbox_left",
      "Of an unknown state when next_attempt_at is null after a failed attempt",
      { publishedAt: "sent_at" },
    ],
  ])("%s", (name, says, columns) => {
    expect(recognised(name).question).toContain(says);
    expect(recognised(name, { columns }).question).toBeNull();
  });
});

describe("a flag that is true while a row waits", () => {
  test("is asked about the way round that it is read", () => {
    expect(recognised("outbox_waiting").question).toContain("Does pending being false really mark");
  });

  test("is confirmed by its name alone", () => {
    const found = recognised("outbox_waiting", { columns: { publishedAt: "pending" } });
    expect(found).toMatchObject({ question: null, missing: null, mapping: { lifecycle: { kind: "rules" } } });
  });

  test("is not turned round by lifecycle.kind flag", () => {
    const found = recognised("outbox_waiting", { columns: { publishedAt: "pending" }, lifecycle: { kind: "flag" } });
    expect(found.mapping.lifecycle.kind).toBe("unknown");
    expect(found.missing).toContain("Name pending under columns.publishedAt without lifecycle.kind");
  });
});

describe("a time that is never null", () => {
  test("has 0 while a row waits if it is a number, and is confirmed by its name alone", () => {
    expect(recognised("outbox_seconds").missing).toContain("Not read as such: sent_at (bigint)");
    const found = recognised("outbox_seconds", { columns: { publishedAt: "sent_at" } });
    expect(found).toMatchObject({ question: null, missing: null, mapping: { lifecycle: { kind: "rules" } } });
    const configured = { columns: { publishedAt: "sent_at" }, lifecycle: { kind: "timestamp" as const } };
    expect(recognised("outbox_seconds", configured).missing).toContain("without lifecycle.kind");
  });

  test("says nothing if no default says what it has while a row waits", () => {
    const found = recognised("outbox_always", { columns: { publishedAt: "sent_at" } });
    expect(found.mapping.lifecycle.kind).toBe("unknown");
    expect(found.missing).toContain("sent_at of public.outbox_always is never null");
  });
});

describe("what a table lacks is said with the columns that come close", () => {
  test.each([
    ["outbox_document", "Not read as such: status (jsonb)"],
    ["outbox_computed", "Not read as such: status (generated)"],
    ["outbox_several", "kafka_status, search_status, and one is read"],
    ["outbox_current", "Not read as such: current_state (text), publish_dttm (timestamp with time zone)"],
  ])("%s", (name, sentence) => {
    const found = recognised(name);
    expect(found.mapping.lifecycle.kind).toBe("unknown");
    expect(found.missing).toContain(sentence);
  });
});

describe("a question about a status says what its values are taken for", () => {
  test("those that the table shows, and no others", () => {
    expect(recognised("outbox_words").question).toBe(
      "Does state really mark a message as published? Its values mean: NEW: waiting; ERROR: failed; SENT: published; SHELF: not known.",
    );
  });

  test("numbers in their order", () => {
    expect(recognised("outbox_numbered").question).toContain("Its values mean: 0, 2, 10: not known.");
  });

  test.each([
    ["outbox_bare", "sent: published; NULL: not known. If a row without one is new, write lifecycle.pending: [null]."],
    ["outbox_bare_beside", "NULL: not known. If a row without one is new, write lifecycle.pending: [new, null]."],
    ["outbox_bare_found", "Its values mean: NULL: waiting; sent: published."],
  ])("and what to answer if a row without one is new: %s", (name, sentence) => {
    expect(recognised(name).question).toContain(sentence);
  });

  test("which then is answered, unless every row has one", () => {
    const configured = (name: string) =>
      recognised(name, {
        columns: { status: "state" },
        lifecycle: { kind: "status", pending: [null], published: ["sent"] },
      });
    expect(configured("outbox_bare")).toMatchObject({
      question: null,
      missing: null,
      mapping: { lifecycle: { pending: [null], published: ["sent"] } },
    });
    expect(configured("outbox_words")).toMatchObject({
      mapping: { lifecycle: { kind: "unknown" } },
      missing: expect.stringContaining("lifecycle.pending has null, and state of public.outbox_words is NOT NULL"),
    });
  });

  test("or that none is known", () => {
    expect(recognised("outbox_wordless").question).toContain("No value of it is known yet.");
  });
});

test("a flag of which only one letter is shown is read, and leaves the row unknown", () => {
  expect(recognised("outbox_letters").question).toContain("of an unknown state when dead is not N");
});

test("a payload that is packed is one, and abbreviations of a language are read", () => {
  expect(recognised("outbox_packed").mapping.columns.payload.name).toBe("compressed_payload");
  expect(recognised("buzon_salida").mapping.columns).toMatchObject({
    eventType: { name: "tpo_evento" },
    aggregateId: { name: "cod_agregado" },
    createdAt: { name: "fch_alta" },
    publishedAt: { name: "fch_envio" },
    availableAt: { name: "fch_prox_intento" },
    attempts: { name: "nro_intentos" },
    lastError: { name: "ult_error" },
  });
});

test.each([
  ["outbox_said", "publication_error"],
  ["outbox_error_texts", "publish_error_message"],
])("the error of publishing is the last one: %s", (name, column) => {
  expect(recognised(name).mapping.columns.lastError?.name).toBe(column);
});

test("an approval in milliseconds is one", () => {
  expect(recognised("outbox_approvals").question).toContain("of an unknown state when approved_at is not set");
});

test("what a status is called in full is no status", () => {
  expect(recognised("outbox_texts").mapping.lifecycle.kind).toBe("timestamp");
});

test("the name of a destination is no mark, whatever its default", () => {
  expect(recognised("outbox_places").mapping.lifecycle.kind).toBe("unknown");
});

describe("a question about words says where their meaning is", () => {
  test("in another table", () => {
    const found = recognised("outbox_codes", { columns: { status: "status_id" } });
    expect(found.question).toContain("public.outbox_states says what they are");
  });

  test("or that another column may mark what was published", () => {
    expect(recognised("outbox_records").question).toContain("If sent_at says it, set lifecycle.kind to timestamp");
  });

  test("or that rows have none, and then no usual word is proposed for what waits", () => {
    const { question, mapping } = recognised("outbox_bare", { columns: { status: "state" } });
    expect(question).toContain("Rows without one stay in state unknown");
    expect(recognised("outbox_bare").question).toContain("sent: published; NULL: not known");
    expect(mapping.lifecycle).toMatchObject({ kind: "status", pending: [] });
  });
});

test("a flag that begins without a value is asked about with what null means", () => {
  expect(recognised("outbox_nullable").question).toContain("Rows in which delivered is null stay in state unknown");
});

test("an id that is unique only within a tenant, and a number that the database does not give, are warned about", () => {
  const { warnings, mapping } = recognised("outbox_tenants");
  expect(mapping.columns.order).toBeUndefined();
  expect(warnings.filter((one) => !one.includes("looked at"))).toEqual([
    expect.stringContaining("No creation time"),
    expect.stringContaining("id of public.outbox_tenants is unique only together with tenant"),
    expect.stringContaining("id of public.outbox_tenants is not numbered by the database"),
  ]);
});

test("a column whose values may not be read is warned about", async () => {
  const user = `looker_${process.pid}`;
  await database().pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'looker'`);
  const url = new URL(database().url);
  [url.username, url.password] = [user, "looker"];
  const store = openPostgresStore({ name: "shop", url: url.toString(), applicationName: "test" });
  try {
    const seen = (await store.catalog()).tables;
    const table = seen.find(({ name }) => name === "outbox_tenants");
    expect(table && recogniseOutbox(table, seen)).toMatchObject({
      warnings: expect.arrayContaining([
        expect.stringContaining("The values of sent_at of public.outbox_tenants were not looked at"),
      ]),
    });
  } finally {
    await store.close();
    await database().pool.query(`DROP ROLE ${user}`);
  }
});

test.each([
  ["integration_events", "direction may say that some of its rows arrived"],
  ["outbox_inbox", "is_inbound may say that some of its rows arrived"],
  ["staged_messages", "does a relay publish its rows"],
  ["outgoing_queue_events", "by its column retry_count, and no column says which rows are published"],
  ["outbox_of_tenants", "which column identifies a message? Its primary key is (tenant_id, seq)."],
  ["nachrichten_ausgang", "which column identifies a message? Its primary key is (mandant, lfd_nr)."],
  ["msg_out", "does publish_ind say which it has published"],
  ["发件箱", "which column is the payload"],
])("%s is a question", (name, question) => {
  expect(candidates(tables).find(({ table }) => table.name === name)?.question).toContain(question);
});

describe("a table of another subject whose rows a program sends to a broker", () => {
  const asked = (name: string) => candidates(tables).find(({ table }) => table.name === name)?.question;

  test("is asked about by the column that says so", () => {
    const asks = (column: string) =>
      `has ${column}, by which a program may record that it has published a row: does a relay publish its rows?`;
    const payload = " If so, which column is to be shown as the payload?";
    expect(asked("orders")).toBe(`public.orders ${asks("sent_to_kafka")}${payload}`);
    expect(asked("factures")).toBe(`public.factures ${asks("publie_kafka")}${payload}`);
    expect(asked("customers")).toBe(`public.customers ${asks("event_published_at")}`);
  });

  test("is not asked about without one", () => {
    expect([asked("letters"), asked("topics")]).toEqual([undefined, undefined]);
  });
});
