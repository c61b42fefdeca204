import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { columnsOfStates, type FailedMarks, type InboxMapping } from "../../stores/port/inbox-mapping.ts";
import { columnsOfCondition } from "../../stores/port/table-rules.ts";
import { assignRoles } from "../columns/assign-roles.ts";
import { plainName } from "../columns/plain-name.ts";
import { unreadMarks } from "../columns/silent-times.ts";
import { placeholderOf } from "../columns/unset-default.ts";
import { claimMarksOf } from "../lifecycle/claim-marks.ts";
import { isNumber } from "../lifecycle/published-mark.ts";
import { type Columns, failedTimesOf, type RowMark, toMapped } from "../lifecycle/row-marks.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";
import type { InboxRole } from "./inbox-columns.ts";
import { inboxMarkOf, type OpenWords } from "./inbox-mark.ts";
import type { InboxWords } from "./words-of-status.ts";

const ZONE = "UTC";

/** What the configuration says of a table that it names as an inbox. */
export interface InboxAnswers {
  /** They say nothing of whether a message is processed. */
  ignoredColumns?: readonly string[] | undefined;
  words?: InboxWords | undefined;
}

/** `says`: each completes "when …". */
type Doubts = FailedMarks & { says: readonly string[] };

/**
 * Columns of unknown meaning of an inbox (`shadow boolean`, `closed_at`): a row that has neither been processed nor
 * failed, and has one of these, may never be processed. Null without such, and where no row is known to wait.
 */
function unreadInInbox(
  table: CatalogTable,
  columns: Partial<Record<InboxRole, CatalogColumn>>,
  { mark, untold }: Pick<InboxMapping, "mark" | "untold">,
): Doubts | null {
  if (mark.kind === "none" || (mark.kind === "time" && mark.always) || table.singleMark) return null;
  const used = rolesOf(table, columns);
  const held = [...claimMarksOf(table, used, ZONE), ...failedTimesOf(table, used, ZONE)];
  const read = [...columnsOfStates({ mark, ...(untold ? { untold } : {}) }), ...held.map(({ column }) => column)];
  const doubts = [...unreadMarks(table, used, read, ZONE).filter(isOfReceipt(table)), ...pastItsTime(table, used)];
  if (doubts.length === 0) return null;
  const named = doubts.flatMap(({ holds }) => columnsOfCondition(holds));
  return {
    holds: { any: doubts.map(({ holds }) => holds) },
    columns: [...new Map(named.map((column) => [column.name, column])).values()],
    says: doubts.map(({ says }) => says.replace(/, until this is answered$/, "")),
  };
}

/** Of what the other columns say besides whether it was processed, an inbox says the same as an outbox. */
function rolesOf(table: CatalogTable, columns: Partial<Record<InboxRole, CatalogColumn>>): Columns {
  const { publishedAt: _, status: __, ...roles } = assignRoles(table, {});
  const mapped = Object.entries({ ...roles, ...columns }).map(([role, column]) => [role, toMapped(column, ZONE)]);
  return Object.fromEntries(mapped) as Columns;
}

/** The producer's own times and flags say nothing of what the consumer does. */
const OF_PRODUCER: readonly Concept[] = ["sent", "published", "occurred", "started"];

/** A step before a message is processed. */
const STEP =
  /^(validated|verified|parsed|decoded|decrypted|deserialized|deserialised|persisted|stored|enriched|routed|authenticated)$/;

const isOfReceipt =
  (table: CatalogTable) =>
  ({ column, holds }: RowMark) => {
    const words = wordsOf(plainName(table, column.name));
    const isDone = "is" in holds && holds.is !== "false";
    return !words.some(
      ({ text, concepts }) => concepts.some((one) => OF_PRODUCER.includes(one)) || (isDone && STEP.test(text)),
    );
  };

/**
 * A message whose time has passed may be left by its consumer; where every row has such a time, the receipt is kept
 * until then.
 */
function pastItsTime(table: CatalogTable, { expiresAt }: Columns): Pick<RowMark, "holds" | "says">[] {
  const column = table.columns.find(({ name }) => name === expiresAt?.name);
  const never = column ? placeholderOf(column) : null;
  if (!expiresAt?.time || !(expiresAt.nullable || never !== null)) return [];
  const isTime = never === null ? [] : [{ not: { column: expiresAt, in: [isNumber(never) ? Number(never) : never] } }];
  return [{ holds: { all: [{ column: expiresAt, is: "past" }, ...isTime] }, says: `${expiresAt.name} has passed` }];
}

/**
 * How an inbox says how far a message is, with the question that is open; `answers`: what the configuration says of it.
 */
export function readStates(
  table: CatalogTable,
  columns: Partial<Record<InboxRole, CatalogColumn>>,
  { words }: InboxAnswers,
): Pick<InboxMapping, "mark" | "untold" | "doubts" | "question"> {
  const { open, ...marks } = inboxMarkOf(table, columns, words);
  const doubts = unreadInInbox(table, columns, marks);
  const questions = [...(open ? [wordsQuestion(table, open)] : []), ...(doubts ? [doubtsQuestion(table, doubts)] : [])];
  return {
    ...marks,
    ...(doubts ? { doubts: { holds: doubts.holds, columns: doubts.columns } } : {}),
    ...(questions.length > 0 ? { question: questions.join(" ") } : {}),
  };
}

const nameOf = ({ schema, name }: CatalogTable) => `${schema}.${name}`;

function wordsQuestion(table: CatalogTable, { column, words }: OpenWords): string {
  return `What does ${words.join(", ")} mean in ${column} of ${nameOf(table)}? Until this is answered such rows are shown as received. Name the words under words.processed, words.failed or words.waiting of the inbox, or ${column} under ignoredColumns if it says nothing of processing.`;
}

function doubtsQuestion(table: CatalogTable, { columns, says }: Doubts): string {
  const names = columns.map(({ name }) => name).join(", ");
  return `Does a row of ${nameOf(table)} still wait to be processed when ${says.join(" or ")}? Until this is answered it is shown as received and not counted as unprocessed. If it waits, name ${names} under ignoredColumns of the inbox.`;
}
