import { randomUUID } from "node:crypto";
import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { OutgoingMessage } from "../../../port/relay/outgoing-message.ts";
import type { MessageOutcome } from "../../../port/relay/settle.ts";
import { type OwnTable, PARTITIONS, toItem } from "../../own-table/own-table.ts";
import type { AttemptDoc } from "../../own-table/relay-docs.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import type { RelayContext } from "../relay-context.ts";

type Tried = Exclude<MessageOutcome, { kind: "given_back" }>;

/** The writes of an attempt: for its message, and by its time, by which old ones are deleted. */
export function attemptWrites(
  { room: { own }, outbox, settings }: RelayContext,
  { message, outcome, relay }: { message: OutgoingMessage; outcome: Tried; relay?: string },
): TransactWriteItem[] {
  const failure = outcome.kind === "published" ? null : outcome.failure;
  const startedAt = outcome.startedAt.toISOString();
  const number = message.attempts + 1;
  const doc: AttemptDoc = {
    id: message.id,
    number,
    startedAt,
    durationMs: outcome.durationMs,
    outcome: outcome.kind,
    code: failure?.code ?? null,
    error: failure?.message ?? null,
    relay: relay ?? settings.relayId,
    sink: settings.sinkName,
  };
  const v = randomUUID();
  // Attempts of one message sort in the order of writing, because their times may come from several clocks.
  const ofMessage = { pk: PARTITIONS.attemptsOf(outbox, message.id), sk: `${orderText(own)}#${startedAt}#${v}` };
  const ofOutbox = { pk: PARTITIONS.attempts(outbox), sk: `${startedAt}#${v}` };
  const put = (key: { pk: string; sk: string }, record: unknown): TransactWriteItem => ({
    Put: { TableName: own.name, Item: toItem({ ...key, doc: record, v }) },
  });
  return [put(ofMessage, doc), put(ofOutbox, { id: message.id, sk: ofMessage.sk })];
}

let last = 0;

function orderText({ link }: Pick<OwnTable, "link">): string {
  last = Math.max(serverNowMs(link), last + 1);
  return String(last).padStart(15, "0");
}
