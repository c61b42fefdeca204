import type { MappedColumn, OutboxMapping, TableName, TimeEncoding } from "#db/stores/port/mapping.ts";

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteLiteral(text: string): string {
  return text.includes("\\")
    ? `E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`;
}

export function quoteTable(table: TableName): string {
  return `${quoteIdentifier(table.schema)}.${quoteIdentifier(table.name)}`;
}

/** `alias."column"`, or `"column"` without an alias. */
export function columnSql(column: MappedColumn, alias = ""): string {
  return alias === "" ? quoteIdentifier(column.name) : `${alias}.${quoteIdentifier(column.name)}`;
}

const EPOCH_DIVISOR = { s: "1", ms: "1000", us: "1000000" } as const;

/** The column as timestamptz, whatever way it stores an instant. */
export function instantExpression(column: MappedColumn, alias = ""): string {
  const sql = columnSql(column, alias);
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return sql;
    case "timestamp":
      return `(${sql} AT TIME ZONE ${quoteLiteral(time.zone)})`;
    case "epoch":
      return `to_timestamp(${sql}::double precision / ${EPOCH_DIVISOR[time.unit]})`;
    case "compact-text":
      return compactInstant(sql, time.zone);
  }
}

/** Text that is no time (empty, cut short, a word) is null: one bad row must not take a whole list with it. */
function compactInstant(sql: string, zone: string): string {
  const part = (from: number, length: number) => `substr(${sql}, ${from}, ${length})::int`;
  const made = `make_timestamp(${part(1, 4)}, ${part(5, 2)}, 1, ${part(9, 2)}, ${part(11, 2)}, ${part(13, 2)}) + make_interval(days => ${part(7, 2)} - 1)`;
  return `(CASE WHEN ${sql} ~ '^[1-9]\\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])([01]\\d|2[0-3])[0-5]\\d[0-5]\\d$' THEN (${made}) AT TIME ZONE ${quoteLiteral(zone)} END)`;
}

/** The type to cast a text to before it is compared with the column: without a length, because a cast to one cuts or rounds. */
export function comparisonType(type: string): string {
  if (/^character\(\d+\)$/.test(type)) return "bpchar";
  return /^(character varying|numeric|time)/.test(type) ? type.replace(/\(\d+(,\d+)?\)/, "") : type;
}

/** A timestamptz expression as a value of the column's own encoding, for writing and for comparisons that use an index. */
export function encodeInstant(column: MappedColumn, instant: string): string {
  const time: TimeEncoding = column.time ?? { kind: "timestamptz" };
  switch (time.kind) {
    case "timestamptz":
      return instant;
    case "timestamp":
      return `((${instant}) AT TIME ZONE ${quoteLiteral(time.zone)})`;
    case "epoch":
      return `(extract(epoch FROM ${instant}) * ${EPOCH_DIVISOR[time.unit]})::${column.type}`;
    case "compact-text":
      return `to_char((${instant}) AT TIME ZONE ${quoteLiteral(time.zone)}, 'YYYYMMDDHH24MISS')`;
  }
}

/** The current time, to be written into the column. */
export function nowValue(column: MappedColumn): string {
  return encodeInstant(column, "clock_timestamp()");
}

/** A timestamptz expression as RFC 3339 text in UTC with microseconds; null stays null. */
export function instantText(expression: string): string {
  return `to_char((${expression}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

function wordList(words: readonly string[]): string {
  return words.length === 0 ? "(NULL)" : `(${words.map(quoteLiteral).join(", ")})`;
}

/** `column IN (words)` over the text of a status column; enum and number columns compare in their own type. */
export function statusIn(column: MappedColumn, words: readonly string[], alias = ""): string {
  return words.length === 0 ? "false" : `${columnSql(column, alias)} IN ${wordList(words)}`;
}

/** True when the table says that the message was published. */
export function publishedPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle } = mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return `${columnSql(lifecycle.column, alias)} IS NOT NULL`;
    case "status":
      return statusIn(lifecycle.column, lifecycle.published, alias);
    case "flag":
      return columnSql(lifecycle.column, alias);
    case "delete":
    case "log":
    case "unknown":
      return "false";
  }
}

/**
 * True when the table says that the message is not published, written so that the usual partial index
 * (`WHERE published_at IS NULL`) serves it. Dead, expired and unknown messages are still in.
 */
export function notPublishedPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle } = mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return `${columnSql(lifecycle.column, alias)} IS NULL`;
    case "status":
      return `NOT coalesce(${statusIn(lifecycle.column, lifecycle.published, alias)}, false)`;
    case "flag":
      return `NOT ${columnSql(lifecycle.column, alias)}`;
    case "delete":
    case "log":
      return "true";
    case "unknown":
      return "false";
  }
}

/** Attempts, null read as none. A column that is never null stands bare, so that an index on `attempts < 10` matches. */
export function attemptsValue(column: MappedColumn, alias = ""): string {
  const sql = columnSql(column, alias);
  return column.nullable ? `coalesce(${sql}, 0)` : sql;
}

/** True when the table itself says that the message was given up on. */
export function nativeDeadPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle, columns, deadAttempts } = mapping;
  const byAttempts =
    columns.attempts && deadAttempts !== null ? `${attemptsValue(columns.attempts, alias)} >= ${deadAttempts}` : null;
  const notPublished = notPublishedPredicate(mapping, alias);
  if (lifecycle.kind !== "status") return byAttempts ? `(${notPublished} AND ${byAttempts})` : "false";
  const byWord = statusIn(lifecycle.column, lifecycle.dead, alias);
  return byAttempts ? `(${byWord} OR (${notPublished} AND ${byAttempts}))` : byWord;
}

/** True when the table says that an expiry has passed and the message was not published. */
export function expiredPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle, columns } = mapping;
  const byWord = lifecycle.kind === "status" ? statusIn(lifecycle.column, lifecycle.expired, alias) : "false";
  if (!columns.expiresAt) return byWord;
  const byTime = `${instantExpression(columns.expiresAt, alias)} <= clock_timestamp()`;
  return `(${byWord} OR coalesce(${byTime}, false))`;
}

/** True when the status is a word (or null) that the mapping does not name, and where nothing tells a state. */
export function unknownPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle } = mapping;
  if (lifecycle.kind === "flag" && lifecycle.column.nullable) return `${columnSql(lifecycle.column, alias)} IS NULL`;
  if (lifecycle.kind === "unknown") return "true";
  if (lifecycle.kind !== "status") return "false";
  const named = [
    ...lifecycle.pending,
    ...lifecycle.inFlight,
    ...lifecycle.failed,
    ...lifecycle.published,
    ...lifecycle.dead,
    ...lifecycle.expired,
  ];
  return `NOT coalesce(${statusIn(lifecycle.column, named, alias)}, false)`;
}

/**
 * Not published, not natively dead, status known: what an index can hold of the messages to be sent. The plain part of
 * it (`IS NULL`, status words) stands first and bare so that a partial index matches.
 */
export function waitingPredicate(mapping: OutboxMapping, alias = ""): string {
  const { lifecycle, columns, deadAttempts } = mapping;
  const parts =
    lifecycle.kind === "status"
      ? [statusIn(lifecycle.column, [...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed], alias)]
      : [notPublishedPredicate(mapping, alias)];
  if (columns.attempts && deadAttempts !== null)
    parts.push(`${attemptsValue(columns.attempts, alias)} < ${deadAttempts}`);
  return parts.join(" AND ");
}

/** Waiting messages of which the table tells that an attempt failed; null where it does not tell. */
export function failedPredicate(mapping: OutboxMapping, alias = ""): string | null {
  const { lifecycle, columns } = mapping;
  const words = lifecycle.kind === "status" ? lifecycle.failed : [];
  const parts = [
    ...(lifecycle.kind === "status" && words.length > 0 ? [statusIn(lifecycle.column, words, alias)] : []),
    ...(columns.attempts ? [`${attemptsValue(columns.attempts, alias)} > 0`] : []),
  ];
  if (parts.length === 0) return null;
  return `${waitingPredicate(mapping, alias)} AND ${parts.length === 1 ? parts[0] : `(${parts.join(" OR ")})`}`;
}

/**
 * Still to be sent as far as the table alone can tell: not published, not natively dead, not expired, status known.
 * Messages that are dead beside their rows are still in.
 */
export function unsentPredicate(mapping: OutboxMapping, alias = ""): string {
  const { expiresAt } = mapping.columns;
  const waiting = waitingPredicate(mapping, alias);
  return expiresAt
    ? `${waiting} AND coalesce(${instantExpression(expiresAt, alias)} > clock_timestamp(), true)`
    : waiting;
}

/**
 * The encoded message id of a row (see message-id.ts), in SQL. A single uuid or integer key is its own text; any
 * other key is packed the same way as `encodeMessageId` packs it.
 */
export function messageIdExpression(mapping: OutboxMapping, alias = ""): string {
  const [first] = mapping.primaryKey;
  // Without a key rows can be counted all the same; whoever lists or changes them has refused before.
  if (!first) return "NULL::text";
  if (mapping.primaryKey.length === 1 && /^(uuid|bigint|integer|smallint)$/.test(first.type)) {
    return `${columnSql(first, alias)}::text`;
  }
  const texts = mapping.primaryKey.map((column) => keyText(column, alias));
  const packed = `'~' || translate(rtrim(replace(encode(convert_to(${jsonArray(texts)}, 'UTF8'), 'base64'), E'\\n', ''), '='), '+/', '-_')`;
  if (mapping.primaryKey.length > 1) return `(${packed})`;
  return `(CASE WHEN ${texts[0]} ~ '^[A-Za-z0-9_-]{1,200}$' THEN ${texts[0]} ELSE ${packed} END)`;
}

/** A key column as text that casts back to the same value, independent of the session's DateStyle and TimeZone. */
export function keyText(column: MappedColumn, alias = ""): string {
  const sql = columnSql(column, alias);
  if (column.type.startsWith("timestamp") && column.type.includes("with time zone")) {
    return `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  }
  if (column.type.startsWith("timestamp")) return `to_char(${sql}, 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  return `${sql}::text`;
}

/** JSON array of texts without spaces, as JSON.stringify prints it. */
function jsonArray(texts: readonly string[]): string {
  return `'[' || ${texts.map((text) => `to_json(${text})::text`).join(" || ',' || ")} || ']'`;
}

/**
 * `alias.key = ANY($n)` for one key column, or a join against unnest for several. `firstParameter` is the number of
 * the first array parameter; one array of text per key column, in key order.
 */
export function keyMatch(mapping: OutboxMapping, alias: string, firstParameter: number): string {
  const arrays = mapping.primaryKey.map(
    (column, index) => `$${firstParameter + index}::text[]::${comparisonType(column.type)}[]`,
  );
  const [only] = mapping.primaryKey;
  if (mapping.primaryKey.length === 1 && only) return `${columnSql(only, alias)} = ANY(${arrays[0]})`;
  const columns = mapping.primaryKey.map((column) => columnSql(column, alias)).join(", ");
  return `(${columns}) IN (SELECT * FROM unnest(${arrays.join(", ")}))`;
}

/** The array parameters that `keyMatch` expects. */
export function keyParameters(keys: readonly (readonly string[])[], keyLength: number): string[][] {
  return Array.from({ length: keyLength }, (_, index) => keys.map((key) => key[index] ?? ""));
}

/** Aggregate type and id as one text, as in delivery.aggregate_key; null when the row has no aggregate. */
export function aggregateKeyExpression(mapping: OutboxMapping, alias = ""): string {
  const { aggregateType, aggregateId } = mapping.columns;
  if (!aggregateId) return "NULL::text";
  const id = `${columnSql(aggregateId, alias)}::text`;
  return aggregateType ? `(${columnSql(aggregateType, alias)}::text || '/' || ${id})` : id;
}

/** Ages and orders start here: the order column, else the creation time, else the key. */
export function orderColumn(mapping: OutboxMapping): MappedColumn {
  return mapping.columns.order ?? mapping.columns.createdAt ?? mapping.columns.id;
}
