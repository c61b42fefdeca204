import { randomUUID } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import type { CatalogTable } from "../../../stores/port/catalog.ts";
import type { Lifecycle, OutboxMapping, PendingWord } from "../../../stores/port/mapping.ts";
import { fingerprintOf } from "../../../stores/port/mapping-fingerprint.ts";
import { encodeMessageId } from "../../../stores/port/message-id.ts";
import type { OutboxStore, Store } from "../../../stores/port/store.ts";
import type { MappingOverrides } from "../../overrides.ts";
import { recogniseOutbox } from "../../recognise.ts";
import type { ClaimedTable } from "./claimed-table.ts";

export interface WriteScore {
  right: number;
  /** Sentence a write after which the team's relay would do the wrong thing. */
  wrong: string[];
  /** Sentence an action that its row's state would allow, with why it was refused. */
  refused: string[];
}

export const emptyWrites = (): WriteScore => ({ right: 0, wrong: [], refused: [] });

interface Written {
  truth: ClaimedTable;
  table: CatalogTable;
  tables: readonly CatalogTable[];
  store: Store;
  /** Empties the table and inserts the rows of the truth. */
  fill(): Promise<unknown>;
  /** Keys that the team's relay would take. */
  claimed(): Promise<string[]>;
  score: WriteScore;
}

/** Retries and dead-letters every row, as a person does who says yes to the mapping as it is shown. */
export async function scoreWrites({ truth, table, tables, store, fill, claimed, score }: Written): Promise<void> {
  const guess = recogniseOutbox(table, tables);
  if ("problem" in guess) return;
  const found = recogniseOutbox(table, tables, yesTo(guess.mapping));
  if ("problem" in found) throw new Error(found.problem);
  if (found.question !== null) return;
  const { mapping } = found;
  const accepted = fingerprintOf(table, mapping);
  if (!accepted || mapping.primaryKey.length !== 1) return;
  const name = `hand-made-${randomUUID()}`;
  await store.records.keepFirstMapping({ outbox: name, fingerprint: accepted, by: "test" });
  const outbox = store.outbox({ name, mapping, accepted, storeSide: true, maxAttempts: null, estimatedRows: 10 });
  for (const [key, states] of Object.entries(truth.states)) {
    for (const action of ["retry", "dead-letter"] as const) {
      if (!states.some((state) => ALLOWED[action].includes(state))) continue;
      await fill();
      const what = `${table.name}: ${action} of ${key}`;
      const outcome = await perform(outbox, action, encodeMessageId([key]));
      if (typeof outcome !== "string") {
        score.refused.push(`${what}: ${outcome.message}`);
        continue;
      }
      const isTaken = (await claimed()).includes(key);
      if (isTaken === (action === "retry")) score.right += 1;
      else score.wrong.push(`${what}: ${outcome}`);
    }
  }
}

const ALLOWED: Readonly<Record<"retry" | "dead-letter", readonly MessageState[]>> = {
  retry: ["failed", "dead"],
  "dead-letter": ["pending", "failed"],
};

/** The configuration that a person's yes makes of a guess. */
function yesTo({ columns, lifecycle }: OutboxMapping): MappingOverrides {
  if (lifecycle.kind === "status") {
    const { kind, column, pending, inFlight, failed, published, dead, expired } = lifecycle;
    const words = { pending, inFlight, failed, published, dead, expired };
    const shown = Object.fromEntries(
      Object.entries(words).map(([list, one]) => [list, [...one].filter(isShown(lifecycle))]),
    );
    return { columns: { status: column.name }, lifecycle: { kind, ...shown }, timeZone: "UTC" };
  }
  return { columns: columns.publishedAt ? { publishedAt: columns.publishedAt.name } : {}, timeZone: "UTC" };
}

function isShown({ guessed, shown }: Extract<Lifecycle, { kind: "status" }>): (word: PendingWord) => boolean {
  return (word) => guessed !== true || shown?.includes(word) === true;
}

async function perform(outbox: OutboxStore, action: MessageAction, id: string): Promise<string | AppError> {
  const version = (await outbox.read.find([id]))[0]?.version ?? "";
  const actor = { name: "ada", role: "admin" } as const;
  const request = { action, id, version, actor, reason: "INC-42", operationId: randomUUID(), dryRun: false };
  try {
    return (await outbox.act.perform(request, 0)).message;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
