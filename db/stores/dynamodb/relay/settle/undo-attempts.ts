import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { TakenBack } from "../../../port/relay/settle.ts";
import { writableWords } from "../../../shared/writable-words.ts";
import type { Changes } from "../../act/item-writes.ts";
import { cancelledBy } from "../../connection/cancelled.ts";
import { encodeInstant, nowText } from "../../items/instant.ts";
import { PARTITIONS, queryRecords, toItem } from "../../own-table/own-table.ts";
import type { AttemptDoc, DeliveryDoc } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { transactPatiently } from "../patient-transaction.ts";
import type { RelayContext } from "../relay-context.ts";
import { changeUnsent } from "./mark-writes.ts";

/**
 * Takes back attempts that turned out to be the environment's fault: the message is due at once, and without other
 * attempts it counts as never failed. The attempts stay in the history as given back.
 */
export async function undoAttempts(context: RelayContext, undo: readonly TakenBack[]): Promise<void> {
  const { deliveries } = context;
  await deliveries.refresh();
  for (const one of undo) {
    const doc = deliveries.get(one.id);
    if (!doc || doc.nextAttemptAt === null) continue;
    await undoOne(context, one, doc);
  }
}

async function undoOne(context: RelayContext, { id, tries, burned }: TakenBack, doc: DeliveryDoc): Promise<void> {
  const { room, outbox, deliveries } = context;
  const left = Math.max(0, doc.attempts - burned);
  const now = nowText(serverNowMs(room.link));
  const next: DeliveryDoc | null = left === 0 ? null : { ...doc, attempts: left, nextAttemptAt: now };
  const pk = PARTITIONS.attemptsOf(outbox, id);
  const { records } = await queryRecords<AttemptDoc>(room.own, { pk, newestFirst: true, limit: tries });
  const givenBack = records.slice(0, tries).map(({ sk, doc: attempt, v }): TransactWriteItem => {
    const record = { pk, sk, doc: { ...attempt, outcome: "given_back" }, v };
    return { Put: { TableName: room.own.name, Item: toItem(record) } };
  });
  const record = next ? deliveries.putWrite(id, next) : deliveries.deleteWrite(id);
  try {
    await transactPatiently(room.link, [changeUnsent(context, id, undoChanges(context, left)), record, ...givenBack]);
  } catch (error) {
    // Another program has published it, or removed it.
    if (cancelledBy(error)?.failed.includes(0)) return;
    throw error;
  }
  if (next) deliveries.set(id, next);
  else deliveries.delete(id);
}

function undoChanges({ mapping, room }: RelayContext, attempts: number): Changes {
  const { columns, lifecycle } = mapping;
  const changes: Changes = {};
  if (columns.attempts) changes[columns.attempts.name] = { N: String(attempts) };
  if (columns.attempts && columns.availableAt) {
    const { name, time = { kind: "timestamptz" } } = columns.availableAt;
    changes[name] = encodeInstant(new Date(serverNowMs(room.link)), time);
  }
  const [pending] = lifecycle.kind === "status" && attempts === 0 ? writableWords(lifecycle, "pending") : [];
  if (lifecycle.kind === "status" && pending !== undefined) changes[lifecycle.column.name] = { S: pending };
  return changes;
}
