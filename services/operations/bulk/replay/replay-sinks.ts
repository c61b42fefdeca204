import type { OperationPreview } from "#contracts/message/operations.ts";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { AppError } from "#domain/errors.ts";
import { whyNoneRepublished } from "#domain/message/republish.ts";
import type { OutboxHandle, Runtime } from "../../../runtime.ts";

/** The sinks to which an outbox's messages can be re-published, the relay's own first. */
export function replaySinksOf({ config }: Runtime, handle: OutboxHandle): OperationPreview["sinks"] {
  const own = handle.config.relay?.sink;
  const sinks = Object.entries(config.sinks).map(([name, { kind }]) => ({ name, kind, own: name === own }));
  return sinks.toSorted((one, other) => Number(other.own) - Number(one.own));
}

/** Why no message of the outbox can be re-published, as a sentence; null if it can. */
export function whyNoReplay({ mapping, store, config }: OutboxHandle): string | null {
  const marked = config.relay?.source !== "cdc" || config.relay.cdc.mark === "column";
  return whyNoneRepublished({
    possible: store.capabilities.republish,
    keepsPublished: marked && keepsPublished(mapping.lifecycle),
  });
}

function keepsPublished(lifecycle: OutboxMapping["lifecycle"]): boolean {
  return lifecycle.kind !== "delete" && (lifecycle.kind !== "rules" || lifecycle.states.published !== undefined);
}

/**
 * The sink of a re-publish. Throws: wrong_state, where none is possible; invalid_input, for a sink that is not there.
 */
export function requireReplaySink(runtime: Runtime, handle: OutboxHandle, asked: string | undefined): string {
  const why = whyNoReplay(handle);
  if (why !== null) throw new AppError("wrong_state", why);
  const sinks = replaySinksOf(runtime, handle);
  if (sinks.length === 0)
    throw new AppError(
      "wrong_state",
      "No sink is configured to which messages could be re-published: name one under sinks in outbox.yaml.",
    );
  const sink = sinks.find(({ name, own }) => (asked === undefined ? own : name === asked));
  if (sink) return sink.name;
  if (asked !== undefined) throw new AppError("invalid_input", `There is no sink named "${asked}".`);
  throw new AppError(
    "invalid_input",
    `No relay of ours publishes outbox ${handle.name}: say in \`sink\` to which of its sinks it goes.`,
  );
}
