import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Columns, markOf, type RowMark } from "../lifecycle/row-marks.ts";
import { defaultWordOf } from "../lifecycle/status-lifecycle.ts";
import { wordsOf } from "../words/name-words.ts";
import { plainName } from "./plain-name.ts";
import { unlikeFirst } from "./silent-flags.ts";
import { isHarmless, unmarkedColumns } from "./unread-columns.ts";
import { isEmptyText } from "./unset-default.ts";

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const LIFETIME =
  /^(ttl|timetolive|maxage|lifetime|validfor|expiresin|expirein|lebensdauer)(s|secs?|seconds?|ms|millis|mins?|minutes?|hours?|days?)?$/;
const DELAY =
  /^(send|sending|publish|publishing|deliver|delivery|dispatch|initial|relay|start)?(delay|delayed|defer|deferred|postpone|verzoegerung|retraso|atraso|retard|vertraging|opoznienie)(by|for)?(s|secs?|seconds?|ms|millis|mins?|minutes?|hours?|days?)?$/;
/** Why the subject of the message changed. */
const OF_SUBJECT =
  /^(change|changes|order|payment|refund|return|adjustment|trigger|business|customer|credit|transfer|price|stock|status|state)$/;

const joined = (name: string) =>
  wordsOf(name)
    .map(({ text }) => text)
    .join("");

/**
 * Rows still to be sent that have a lifetime, after which their relay may leave them, or a reason for what is not
 * known. Whoever confirms the published mark knows. `read`: columns that say something else.
 */
export function unreadLimits(
  table: CatalogTable,
  columns: Columns,
  read: readonly MappedColumn[],
  zone: string,
): RowMark[] {
  return unmarkedColumns(table, columns, read)
    .filter(({ generated }) => !generated)
    .flatMap(
      (column) =>
        lifetimeOf(table, column, zone) ??
        delayOf(table, column, columns, zone) ??
        reasonOf(table, column, zone) ??
        takenAs(table, column, zone) ??
        [],
    );
}

function lifetimeOf(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const isNumber = NUMBERS.includes(column.family);
  if (!(isNumber || column.type === "interval") || !LIFETIME.test(joined(plainName(table, column.name)))) return null;
  const mark = markOf("withdrawn", column, zone);
  const isSet = { column: mark.column, is: "set" as const };
  const holds = isNumber ? { all: [isSet, { not: { column: mark.column, in: [0] } }] } : isSet;
  return { ...mark, holds, says: `${column.name} gives it a lifetime, until this is answered` };
}

/** `delay_seconds` of a row that was written to be sent later, where no column has the due time itself. */
function delayOf(table: CatalogTable, column: CatalogColumn, { availableAt }: Columns, zone: string): RowMark | null {
  const isNumber = NUMBERS.includes(column.family);
  if (availableAt || !(isNumber || column.type === "interval")) return null;
  if (!DELAY.test(joined(plainName(table, column.name)))) return null;
  const mark = markOf("withdrawn", column, zone);
  const first = defaultWordOf(table, column.name);
  const isSet = { column: mark.column, is: "set" as const };
  const none = isNumber ? [0, ...(first === undefined ? [] : [Number(first)])] : first === undefined ? [] : [first];
  const holds = none.length === 0 ? isSet : { all: [isSet, { not: { column: mark.column, in: none } }] };
  return { ...mark, holds, says: `${column.name} delays it, until this is answered` };
}

function reasonOf(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const { family, name } = column;
  if (family !== "text" || !isEmptyText(column) || isHarmless(table, column)) return null;
  const words = wordsOf(plainName(table, name));
  const isBy = SETTLED_BY.test(joined(plainName(table, name)));
  const isError = words.at(-1)?.concepts.includes("error") === true;
  if (words.length < 2 || !(isBy || isError || words.some(({ concepts }) => concepts.includes("reason")))) return null;
  if (words.some(({ text, concepts }) => OF_SUBJECT.test(text) || concepts.includes("code"))) return null;
  const mark = markOf("withdrawn", column, zone);
  return { ...mark, holds: { column: mark.column, is: "filled" }, says: `${name} has a text, until this is answered` };
}

/** Who has done with the row what its relay did not. */
const SETTLED_BY =
  /^(manually)?(resolved|closed|fixed|handled|completed|settled|cleared|dismissed|waived|finished|done)(manually)?by$/;

/** `batch_id`, `owner` or `backend_pid` that a new row does not have: a publisher may have taken the row. */
function takenAs(table: CatalogTable, column: CatalogColumn, zone: string): RowMark | null {
  const { family, name } = column;
  const plain = joined(plainName(table, name));
  if (!IDS.includes(family) || !(TAKEN_AS.test(plain) || HOLDER.test(plain))) return null;
  const first = family === "text" ? undefined : defaultWordOf(table, name);
  if (first !== undefined) return unlikeFirst(column, first, zone);
  if (!isEmptyText(column)) return null;
  const mark = markOf("withdrawn", column, zone);
  const holds = { column: mark.column, is: family === "text" ? ("filled" as const) : ("set" as const) };
  return { ...mark, holds, says: `${name} is set, until this is answered` };
}

const IDS: readonly CatalogColumn["family"][] = ["text", "uuid", "integer", "bigint"];
const TAKEN_AS =
  /^(publish|publishing|send|sending|dispatch|relay|delivery|poll|fetch|export)?(batch|run|lot|chunk|bulk)(id|no|nr|uuid|key)$/;
const HOLDER =
  /^(owner|ownedby|assignedto|assignee|holder|(backend|worker|process|publisher|relay|sender|dispatcher|poller)pid|connectionid|(publisher|publishing|relay|sender|sending|dispatcher|poller|processing)(pod|node|host|hostname|instance|machine|worker|thread|server)(id|name)?)$/;
