import { sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { EngineFigure, IndexUse, StorageHolder, StorageReading, TableSize } from "#db/stores/port/storage.ts";
import { formatBytes, formatCount } from "#domain/format.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { readFreshTransactions, StaleReadingError } from "../diagnosis-facts/sessions/innodb-transactions.ts";
import { endSessionSql, readPrograms, shownQuery, stateOf } from "../diagnosis-facts/sessions/our-sessions.ts";

/** Younger transactions are ignored: they soon end. */
const LEAST_SECONDS = 5;

/** What the server says of a table's space. Reads statistics, never the rows. */
export async function readStorage(session: Session, ref: OutboxRef): Promise<StorageReading> {
  const unsaid = [
    "InnoDB does not count dead rows of a table; the length of its history list stands for the whole server.",
    "InnoDB needs no vacuum: its purge threads remove old versions once no transaction can see them.",
  ];
  const allowed = async <T>(what: string, none: T, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StaleReadingError) unsaid.push(error.message);
      else if (isForbidden(error)) unsaid.push(`The database user may not read ${what}.`);
      else throw error;
      return none;
    }
  };
  return {
    size: await readSize(session, ref),
    indexes: await allowed("the sizes of indexes (mysql.innodb_index_stats)", [], () => readIndexes(session, ref)),
    countedSince: null,
    holders: await allowed("open transactions (PROCESS)", [], () => readHolders(session)),
    slots: [],
    partitions: null,
    figures: [
      ...(await allowed("the history list (PROCESS)", [], () => readHistory(session))),
      ...(await allowed("the binary log (REPLICATION CLIENT)", [], () => readBinlog(session))),
    ],
    unsaid,
  };
}

async function readSize(session: Session, { mapping: { table } }: OutboxRef): Promise<TableSize> {
  const [row = []] = await session.rows(
    sql`SELECT data_length, index_length, table_rows FROM information_schema.tables WHERE table_schema = ${table.schema} AND table_name = ${table.name}`,
  );
  const [data, index, rows] = row.map((value) => (value === null ? null : Number(value)));
  return {
    ...{ tableBytes: data ?? null, indexBytes: index ?? null, toastBytes: null },
    totalBytes: data === null || data === undefined ? null : data + (index ?? 0),
    rows: { value: rows ?? 0, precision: rows === null || rows === undefined ? "unknown" : "estimate" },
    ...{ deadRows: null, lastVacuumAt: null, lastAutovacuumAt: null },
  };
}

/** Sizes are those of the last sampling of statistics, in pages. */
async function readIndexes(session: Session, { mapping: { table } }: OutboxRef): Promise<IndexUse[]> {
  const sizes = await session.rows(
    sql`SELECT index_name, stat_value * @@innodb_page_size FROM mysql.innodb_index_stats WHERE database_name = ${table.schema} AND table_name = ${table.name} AND stat_name = 'size'`,
  );
  const unique = await session.rows(
    sql`SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = ${table.schema} AND table_name = ${table.name} AND non_unique = 0`,
  );
  const isUnique = new Set(unique.map(([name]) => name));
  return sizes
    .map(([name, bytes]) => ({
      ...{ name: name ?? "", bytes: Number(bytes), scans: null },
      ...{ isUnique: isUnique.has(name ?? ""), isValid: true },
    }))
    .toSorted((one, other) => other.bytes - one.bytes);
}

async function readHolders(session: Session): Promise<StorageHolder[]> {
  const open = (await readFreshTransactions(session)).filter(({ ageSeconds }) => ageSeconds >= LEAST_SECONDS);
  if (open.length === 0) return [];
  const programs = await readPrograms(session);
  return open
    .toSorted((one, other) => other.ageSeconds - one.ageSeconds)
    .slice(0, 20)
    .map(({ connection, startedAt, ageSeconds, hasWritten, user, command, query }) => ({
      kind: connection === 0 ? ("prepared" as const) : ("session" as const),
      holds: hasWritten ? "old rows, and rows that it has changed" : "old rows",
      pid: connection === 0 ? null : connection,
      name: programs.get(connection) ?? "unnamed",
      ...{
        user,
        state: stateOf(command),
        query: shownQuery(query),
        sinceAt: startedAt,
        ageSeconds,
        transactions: null,
      },
      cancelSql: connection === 0 ? null : `KILL QUERY ${connection};`,
      endSql: connection === 0 ? PREPARED_END : `${endSessionSql(connection)};`,
    }));
}

/** A transaction that was prepared is one part of several: they end alike. */
const PREPARED_END =
  "XA RECOVER CONVERT XID;\n-- With its id, where its other databases have committed theirs:\nXA COMMIT …;\n-- Where they have rolled back:\nXA ROLLBACK …;";

async function readHistory(session: Session): Promise<EngineFigure[]> {
  const [row] = await session.rows(
    "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'",
  );
  if (!row?.[0]) return [];
  const note = "old row versions that wait for purge, of the whole server";
  return [{ label: "History list", value: formatCount(Number(row[0])), note }];
}

async function readBinlog(session: Session): Promise<EngineFigure[]> {
  const [on] = await session.rows("SELECT @@log_bin");
  if (on?.[0] !== "1") return [{ label: "Binary log", value: "off", note: null }];
  const files = await session.rows("SHOW BINARY LOGS");
  const bytes = files.reduce((sum, [, size]) => sum + Number(size), 0);
  return [{ label: "Binary log", value: formatBytes(bytes), note: `${files.length} files, of the whole server` }];
}
