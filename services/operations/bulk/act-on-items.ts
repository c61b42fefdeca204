import type { ItemResult, ItemRow } from "#db/stores/port/bulk-records.ts";
import type { ItemAct, OutboxActions } from "#db/stores/port/outbox-actions.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import type { VerbRequest } from "#db/stores/port/verb.ts";
import { type AppError, concernsWholeRun, toAppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { Actor } from "#domain/operator.ts";

export interface Acted {
  /** Number of items that were done. */
  done: number;
  /** Outcomes that the act itself did not write: skipped and refused. */
  results: ItemResult[];
  /** Items whose row was in use; to be tried again. */
  busy: ItemRow[];
  /** Items that were not tried. */
  untried: ItemRow[];
  /** Set if the database stopped the work: the rest was not tried. */
  trouble: AppError | null;
}

interface Acting {
  act: OutboxActions;
  operation: { id: string; action: MessageAction; actor: Actor; reason: string };
  items: readonly ItemRow[];
}

/**
 * Acts on items, each with its outcome in the same transaction. Retries go in the order in which the outbox delivers.
 * Never throws: what went wrong is in the answer.
 */
export async function actOnItems({ act, operation, items }: Acting): Promise<Acted> {
  try {
    const ordered = await inTurn(act, operation.action, items);
    return sortOut(ordered, await act.performItems(ordered.map(toVerb(operation))));
  } catch (error) {
    return { done: 0, results: [], busy: [], untried: [...items], trouble: toAppError(error) };
  }
}

function toVerb({ id: operationId, ...verb }: Acting["operation"]): (item: ItemRow) => VerbRequest {
  const outcome = verb.action === "retry" ? "released" : "done";
  return ({ seq, messageId, version }) => ({
    ...verb,
    id: messageId,
    version,
    operationId,
    dryRun: false,
    item: { seq, outcome },
  });
}

function sortOut(items: readonly ItemRow[], acts: readonly ItemAct[]): Acted {
  const bySeq = new Map(items.map((item) => [item.seq, item]));
  const acted: Acted = { done: 0, results: [], busy: [], untried: [], trouble: null };
  for (const { seq, failure } of acts) {
    const item = bySeq.get(seq);
    bySeq.delete(seq);
    if (!failure || !item) acted.done += 1;
    // A commit in doubt has written both the act and its outcome or neither: the item's row shows which.
    else if (troubleOf(failure) === "commit_in_doubt" || concernsWholeRun(failure)) acted.trouble = failure;
    else if (failure.code === "in_flight" || failure.code === "locked") acted.busy.push(item);
    else acted.results.push(resultOf(seq, failure));
  }
  acted.untried = [...bySeq.values()];
  return acted;
}

/** Never overwrites an existing outcome, such as that of an act whose answer was lost. */
function resultOf(seq: number, { code, message }: AppError): ItemResult {
  return { seq, outcome: code === "wrong_state" ? "refused" : "skipped", code, message };
}

async function inTurn(act: OutboxActions, action: MessageAction, items: readonly ItemRow[]): Promise<ItemRow[]> {
  if (action !== "retry" || items.length < 2) return [...items];
  const byId = new Map(items.map((item) => [item.messageId, item]));
  const ids = await act.inOrder([...byId.keys()]);
  return ids.flatMap((id) => byId.get(id) ?? []);
}
