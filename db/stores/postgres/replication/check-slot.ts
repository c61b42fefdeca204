import type { TableName } from "../../port/mapping.ts";
import type { StreamStatus } from "../../port/relay/relay-stream.ts";
import type { RelaySession } from "../connection/sessions.ts";
import { quoteIdentifier, quoteLiteral, quoteTable } from "../tables/mapping-sql.ts";
import { positionOf } from "./log-transaction.ts";
import { parseLsn } from "./lsn.ts";
import { type SlotProblem, slotProblem } from "./slot-problem.ts";

export interface StreamNames {
  slot: string;
  publication: string;
  table: TableName;
  /** What the relay reads of each row; default: not checked. */
  columns?: readonly string[];
}

export function createPublicationSql({ publication, table }: StreamNames, partitioned = false): string {
  const root = partitioned ? ", publish_via_partition_root = true" : "";
  return `CREATE PUBLICATION ${quoteIdentifier(publication)} FOR TABLE ${quoteTable(table)} WITH (publish = 'insert'${root});`;
}

export function createSlotSql({ slot }: StreamNames): string {
  return `SELECT pg_create_logical_replication_slot(${quoteLiteral(slot)}, 'pgoutput');`;
}

/** Reads all facts in one round trip, from catalogs only. */
function factsSql({ slot, publication, table }: StreamNames): string {
  const name = quoteLiteral(quoteTable(table));
  return `SELECT current_setting('wal_level'),
    coalesce((SELECT rolreplication OR rolsuper FROM pg_roles WHERE rolname = current_user), false)::text,
    current_user::text, current_database()::text,
    (SELECT relkind::text FROM pg_class WHERE oid = ${name}::regclass),
    p.pubname::text, p.pubinsert::text, p.pubviaroot::text,
    EXISTS (SELECT FROM pg_publication_tables t WHERE t.pubname = p.pubname AND t.schemaname = ${quoteLiteral(table.schema)} AND t.tablename = ${quoteLiteral(table.name)})::text,
    (SELECT to_jsonb(t)->>'rowfilter' FROM pg_publication_tables t WHERE t.pubname = p.pubname AND t.schemaname = ${quoteLiteral(table.schema)} AND t.tablename = ${quoteLiteral(table.name)}),
    (SELECT to_jsonb(t)->>'attnames' FROM pg_publication_tables t WHERE t.pubname = p.pubname AND t.schemaname = ${quoteLiteral(table.schema)} AND t.tablename = ${quoteLiteral(table.name)}),
    s.slot_name::text, s.plugin::text, s.database::text, s.active::text, s.active_pid::text, s.wal_status, s.slot_type,
    to_jsonb(s)->>'invalidation_reason', current_setting('max_slot_wal_keep_size')
  FROM (SELECT) one
    LEFT JOIN pg_publication p ON p.pubname = ${quoteLiteral(publication)}
    LEFT JOIN pg_replication_slots s ON s.slot_name = ${quoteLiteral(slot)}`;
}

type Script = Pick<RelaySession, "script">;

const FACTS = [
  ...["walLevel", "mayReplicate", "user", "database", "relkind", "publication", "inserts", "viaRoot", "covered"],
  ...[
    "rowFilter",
    "columns",
    "slot",
    "plugin",
    "slotDatabase",
    "active",
    "pid",
    "walStatus",
    "slotType",
    "invalidation",
  ],
] as const;
type Facts = Record<(typeof FACTS)[number], string | null | undefined>;

/** Reasons why the log of an outbox cannot be read, worst first; empty if it can. */
export async function checkSlot(session: Script, names: StreamNames): Promise<SlotProblem[]> {
  const [rows] = await session.script(factsSql(names));
  const facts = Object.fromEntries(FACTS.map((name, index) => [name, rows?.[0]?.[index]])) as Facts;
  return [...serverProblems(facts), ...publicationProblems(facts, names), ...slotProblems(facts, names)];
}

function serverProblems({ walLevel, mayReplicate, user }: Facts): SlotProblem[] {
  const level = slotProblem(
    "wal_level",
    `The server's wal_level is ${walLevel}: logical replication needs "logical" and a restart of the server.`,
    "ALTER SYSTEM SET wal_level = 'logical'; -- then restart the server",
  );
  const permission = slotProblem(
    "permission",
    `The user ${user} may not read the log: it lacks the attribute REPLICATION.`,
    `ALTER ROLE ${quoteIdentifier(user ?? "")} REPLICATION; -- or what your provider grants instead, such as rds_replication`,
  );
  return [...(walLevel === "logical" ? [] : [level]), ...(mayReplicate === "true" ? [] : [permission])];
}

function publicationProblems(facts: Facts, names: StreamNames): SlotProblem[] {
  const { publication, rowFilter, covered } = facts;
  const table = `${names.table.schema}.${names.table.name}`;
  const missing = covered === "true" ? missingColumns(facts, names) : [];
  return [
    ...coverProblems(facts, names, table),
    ...(covered === "true" && rowFilter != null
      ? [
          slotProblem(
            "publication",
            `The publication ${publication} has a row filter that leaves out rows of ${table}.`,
            coverWholeSql(publication ?? "", names),
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [
          slotProblem(
            "columns",
            `The publication ${publication} does not carry the columns ${missing.join(", ")} of ${table}.`,
            `${coverWholeSql(publication ?? "", names)}\n${skipSql(names)}`,
          ),
        ]
      : []),
  ];
}

/** Postgres 15 and later list the columns. */
function missingColumns({ columns }: Facts, { columns: needed = [] }: StreamNames): string[] {
  if (columns == null) return [];
  const carried = JSON.parse(columns) as string[];
  return needed.filter((column) => !carried.includes(column));
}

/** Leaves other tables of the publication in it, which SET TABLE would not. */
function coverWholeSql(publication: string, { table }: StreamNames): string {
  const alter = `ALTER PUBLICATION ${quoteIdentifier(publication)}`;
  return `BEGIN; ${alter} DROP TABLE ${quoteTable(table)}; ${alter} ADD TABLE ${quoteTable(table)}; COMMIT;`;
}

/** A change stays in the log as the publication was when it was made. */
function skipSql({ slot }: StreamNames): string {
  return `-- The log from before lacks the columns. With the worker stopped, skip it; with mark: none, insert its messages again as new rows:\nSELECT pg_replication_slot_advance(${quoteLiteral(slot)}, pg_current_wal_lsn());`;
}

function coverProblems(facts: Facts, names: StreamNames, table: string): SlotProblem[] {
  const { publication, covered, inserts, viaRoot, relkind, database } = facts;
  if (publication == null) {
    const message = `There is no publication ${names.publication} in ${database}.`;
    return [slotProblem("publication_missing", message, createPublicationSql(names, relkind === "p"))];
  }
  const alter = `ALTER PUBLICATION ${quoteIdentifier(publication)}`;
  if (covered !== "true" && relkind === "p" && viaRoot !== "true") {
    const message = `The publication ${publication} publishes the partitions of ${table} instead of the table.`;
    return [slotProblem("publication", message, `${alter} SET (publish_via_partition_root = true);`)];
  }
  if (covered !== "true") {
    const message = `The publication ${publication} does not cover ${table}.`;
    return [slotProblem("publication", message, `${alter} ADD TABLE ${quoteTable(names.table)};`)];
  }
  if (inserts === "true") return [];
  return [
    slotProblem(
      "publication",
      `The publication ${publication} does not publish inserts.`,
      `${alter} SET (publish = 'insert');`,
    ),
  ];
}

function slotProblems(facts: Facts, names: StreamNames): SlotProblem[] {
  const { slot, slotType, plugin, slotDatabase, database, walStatus, invalidation, active, pid } = facts;
  if (slot == null) {
    return [slotProblem("slot_missing", `There is no replication slot ${names.slot}.`, createSlotSql(names))];
  }
  if (slotType !== "logical" || plugin !== "pgoutput") {
    return [slotProblem("slot_other", `The slot ${slot} is not a logical slot with the output plugin pgoutput.`, null)];
  }
  if (slotDatabase !== database) {
    const message = `The slot ${slot} belongs to the database ${slotDatabase}, not to ${database}.`;
    return [slotProblem("slot_other", message, null)];
  }
  if (walStatus === "lost" || invalidation != null) {
    const why = invalidation != null ? ` (${invalidation})` : "";
    const message = `The slot ${slot} is lost${why}: the server has removed log that it needed.`;
    const sql = `SELECT pg_drop_replication_slot(${quoteLiteral(names.slot)});\n${createSlotSql(names)}`;
    return [slotProblem("slot_lost", message, sql)];
  }
  if (active !== "true") return [];
  return [slotProblem("slot_in_use", `The slot ${slot} is being read by the session with pid ${pid}.`, null)];
}

/** How far the slot is behind, and the server's limit on the log it retains. */
export async function slotStatus(session: Script, slot: string): Promise<StreamStatus & { keepSize: string }> {
  const [rows] = await session.script(
    `SELECT (pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END,
        coalesce(s.confirmed_flush_lsn, s.restart_lsn)))::bigint::text,
      s.confirmed_flush_lsn::text, s.wal_status, current_setting('max_slot_wal_keep_size')
     FROM (SELECT) one LEFT JOIN pg_replication_slots s ON s.slot_name = ${quoteLiteral(slot)}`,
  );
  const [lag, confirmed, walStatus, keepSize] = rows?.[0] ?? [];
  return {
    name: slot,
    lag: lag == null ? null : { value: Math.max(0, Number(lag)), unit: "bytes" },
    state: stateOf(walStatus ?? null),
    detail: walStatus ?? null,
    confirmed: confirmed == null ? null : positionOf(parseLsn(confirmed)),
    keepSize: keepSize ?? "-1",
  };
}

/** `walStatus` is null if the slot is gone. */
function stateOf(walStatus: string | null): StreamStatus["state"] {
  if (walStatus === null || walStatus === "lost") return "lost";
  return walStatus === "unreserved" ? "at_risk" : "ok";
}

/**
 * True if the slot's sender is working, seen from another session. A sender that decodes a long transaction may be
 * silent for minutes; one that waits for new log or for its client would have answered.
 */
export async function slotIsAtWork(session: Script, slot: string): Promise<boolean> {
  const [rows] = await session.script(
    `SELECT (coalesce(a.wait_event_type, '') NOT IN ('Activity', 'Client'))::text
     FROM pg_replication_slots s JOIN pg_stat_activity a ON a.pid = s.active_pid WHERE s.slot_name = ${quoteLiteral(slot)}`,
  );
  return rows?.[0]?.[0] === "true";
}
