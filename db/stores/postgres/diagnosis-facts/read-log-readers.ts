import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LogReader, LogReaders } from "#domain/diagnosis/facts/log-readers.ts";
import { notOurSession } from "../own-schema/our-sessions.ts";
import { instantText, quoteTable } from "../tables/mapping-sql.ts";

const SESSIONS_SQL = `
SELECT s.slot_name AS slot, a.pid, a.usename AS "user", nullif(a.application_name, '') AS "applicationName",
  host(a.client_addr) AS "clientAddress", ${instantText("a.backend_start")} AS "connectedAt", a.query AS command
FROM pg_replication_slots s JOIN pg_stat_activity a ON a.pid = s.active_pid
WHERE s.slot_type = 'logical' AND s.plugin = 'pgoutput' AND s.database = current_database() AND ${notOurSession("a")}`;

/** Publications that name the table or, of a partitioned one, its parts; not those of all tables or of a schema. */
const PUBLICATIONS_SQL = `
SELECT DISTINCT p.pubname AS name FROM pg_publication p JOIN pg_publication_rel r ON r.prpubid = p.oid
WHERE p.pubinsert AND NOT p.puballtables AND r.prrelid IN (
  SELECT $1::regclass UNION SELECT relid FROM pg_partition_tree($1::regclass) UNION SELECT pg_partition_ancestors($1::regclass))`;

type Session = Omit<LogReader, "publications" | "connectedAt"> & { connectedAt: string | null; command: string | null };

/**
 * Other programs' sessions to which the server sends the table's rows, as their replication command shows. A slot does
 * not record its publications, so an unread slot shows nothing.
 */
export async function readLogReaders(client: PoolClient, { mapping }: OutboxRef): Promise<LogReaders> {
  const { rows: sessions } = await client.query<Session>(SESSIONS_SQL);
  if (sessions.length === 0) return { readers: [], hidden: [] };
  const { rows: known } = await client.query<{ name: string }>(PUBLICATIONS_SQL, [quoteTable(mapping.table)]);
  const found: LogReaders = { readers: [], hidden: [] };
  for (const { command, ...session } of sessions) {
    const asked = publicationsIn(command);
    if (asked === "none") continue;
    const publications = asked === null ? [] : known.map(({ name }) => name).filter((name) => asked.includes(name));
    if (asked === null || session.connectedAt === null) found.hidden.push(session.slot);
    else if (publications.length > 0)
      found.readers.push({ ...session, connectedAt: session.connectedAt, publications });
  }
  return found;
}

/** Null if the command may not be read, or was cut; `none` if it does not stream. */
function publicationsIn(command: string | null): string[] | null | "none" {
  if (command === null || command.startsWith("<")) return null;
  if (!/^\s*START_REPLICATION\b/i.test(command)) return "none";
  const [, list] = /"?publication_names"?\s+'((?:[^']|'')*)'/i.exec(command) ?? [];
  if (list === undefined) return null;
  return [...list.replaceAll("''", "'").matchAll(/"((?:[^"]|"")*)"|([^\s,"]+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? (plain ?? "").toLowerCase(),
  );
}
