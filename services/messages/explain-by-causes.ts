import type { MessageDetail, Why } from "#contracts/message/messages.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import type { CauseCode } from "#domain/diagnosis/words.ts";
import { sentence } from "#domain/format.ts";
import { type MessageState, UNSENT_STATES } from "#domain/message/message-state.ts";

type Reason = Why["reasons"][number];
type Known = Pick<Cause, "rule" | "key" | "sentence" | "nextStep">;

interface Of {
  detail: Pick<MessageDetail, "message" | "neighbours">;
  causes: readonly Known[];
}

/** Reason if the message's event type fails, or (`ordered`) that of an earlier message of its aggregate. */
export function routeReasons({ detail, causes }: Of, ordered: boolean): Reason[] {
  const { message, neighbours } = detail;
  const routeOf = (eventType: string | null) =>
    causes.find(({ rule, key }) => rule === "route_failing" && key === `event_type ${eventType}`);
  const own = routeOf(message.eventType);
  if (own) return [reasonOf(own, own.sentence, "The relay probes with one message at a time and uses up no attempts.")];
  if (!ordered) return [];
  const place = neighbours.findIndex(({ id }) => id === message.id);
  const ahead = neighbours.find(
    ({ id, state, eventType, createdAt }, at) =>
      id !== message.id &&
      // Those of one transaction have one time and no known order here; only one that is behind waits.
      (at < place || createdAt === message.createdAt) &&
      isUnsent(state) &&
      routeOf(eventType),
  );
  const route = ahead && routeOf(ahead.eventType);
  if (!route) return [];
  const text = `It waits behind a message of ${message.aggregateId ?? "its aggregate"}: ${route.sentence}`;
  return [reasonOf(route, text, `That message is ${ahead.id}; order is kept per aggregate.`)];
}

/** No message waits behind a dead or expired one. */
function isUnsent(state: MessageState): boolean {
  return UNSENT_STATES.some((unsent) => unsent === state);
}

/** Causes that hold back every waiting message of the outbox. */
const OF_OUTBOX: ReadonlySet<CauseCode> = new Set<CauseCode>([
  "mapping",
  "relay_crashes",
  "read_only",
  "foreign_relay",
  "second_publisher",
  "locked",
  "no_progress",
  "overdue",
  "slot_lag",
  "old_transaction",
]);

/** Causes that may keep a sent message claimed: by the claim alone it looks like a delivery in progress. */
const OF_CLAIMED: ReadonlySet<CauseCode> = new Set<CauseCode>(["read_only", "locked", "no_progress"]);

/** Reasons for a claimed message: causes that keep the relay from finishing. */
export function claimedReasons({ message }: Pick<MessageDetail, "message">, causes: readonly Known[]): Reason[] {
  return message.state === "in_flight" ? outboxReasons(causes.filter(({ rule }) => OF_CLAIMED.has(rule))) : [];
}

/** Causes that block relays' heartbeats: the diagnosis names them in place of "no relay is alive". */
const OF_SILENT: ReadonlySet<CauseCode> = new Set<CauseCode>(["mapping", "relay_crashes", "read_only"]);

/** Reasons for a message whose relay is silent or did not finish with it, if they are known. */
export function silenceReasons(causes: readonly Known[]): Reason[] {
  return outboxReasons(causes.filter(({ rule }) => OF_SILENT.has(rule)));
}

/** The outbox's causes, worst first, as reasons for a message without a specific one. */
export function outboxReasons(causes: readonly Known[]): Reason[] {
  return causes
    .filter(({ rule }) => OF_OUTBOX.has(rule))
    .map((cause) =>
      reasonOf(cause, cause.sentence, "This holds for the whole outbox; nothing more is known about this message."),
    );
}

function reasonOf({ rule, nextStep }: Known, text: string, evidence: string): Reason {
  return { rule, text: sentence(text), evidence, next: nextStep };
}
