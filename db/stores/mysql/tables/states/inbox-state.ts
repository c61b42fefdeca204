import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import { type InboxStates, inboxStates } from "#db/stores/shared/states/inbox-states.ts";
import { inboxTable } from "../outbox-table.ts";
import { conditionsOver } from "./row-conditions.ts";

const known = new WeakMap<InboxMapping, InboxStates>();

/** The states of the rows of an inbox. Cached. */
export function statesOfInbox(mapping: InboxMapping): InboxStates {
  const made = known.get(mapping) ?? inboxStates(mapping, conditionsOver(inboxTable(mapping)));
  known.set(mapping, made);
  return made;
}
