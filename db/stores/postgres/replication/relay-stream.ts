import type { RelayStream } from "../../port/relay/relay-stream.ts";
import type { RowReader } from "../relay/read-row.ts";
import type { RelayContext } from "../relay/relay-context.ts";
import { checkSlot, slotIsAtWork, slotStatus } from "./check-slot.ts";
import { createStreamClaim } from "./claim-streamed.ts";
import { positionOf } from "./log-transaction.ts";
import { openStream } from "./open-stream.ts";
import { createPark } from "./park-messages.ts";
import { readUnsent } from "./read-unsent.ts";

/** The log of one outbox. Creates and drops nothing; connects on first use. */
export function createRelayStream(input: {
  context: RelayContext;
  reader: RowReader;
  /** Must not go through a pooler: poolers do not pass replication on. */
  url: string;
  slot: string;
  publication: string;
}): RelayStream {
  const { context, reader, url, slot, publication } = input;
  const { mapping, lanes, fields, mark, sessions } = context;
  const names = { slot, publication, table: mapping.table };
  const whole = mark === "none";
  const isAtWork = () => sessions.transaction({ work: (session) => slotIsAtWork(session, slot) });
  return {
    name: slot,
    mark,
    check: () => sessions.transaction({ work: async (session) => (await checkSlot(session, names))[0] ?? null }),
    status: () => sessions.transaction({ work: (session) => slotStatus(session, slot) }),
    open: (events) => openStream({ url, names, mapping, lanes, fields, whole, events, isAtWork }),
    claim: createStreamClaim(context, reader, !whole),
    positionOf: ([place]) => positionOf(BigInt(place)),
    schedules: mapping.columns.availableAt !== undefined,
    unsent: (input) => readUnsent(context, input),
    park: createPark(context),
  };
}
