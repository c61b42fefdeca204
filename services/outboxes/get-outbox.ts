import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";
import { COLUMN_ROLES, type OutboxMapping } from "#db/stores/port/mapping.ts";
import { orderingOf } from "#db/stores/port/ordering.ts";
import { formatLimit } from "#domain/format.ts";
import type { ActionSwitch } from "#domain/message/action-switch.ts";
import { MESSAGE_ACTIONS, type MessageAction } from "#domain/message/message-state.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { whyNoReplay } from "../operations/bulk/replay/replay-sinks.ts";
import { whyNoCorrection } from "../operations/correct-message.ts";
import { switchRefusal } from "../operations/require-switched-on.ts";
import { whyNoPause } from "../relays/pause-relay.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { whyUndecided } from "../stores/accept-first-mapping.ts";
import { lifecycleText } from "./lifecycle-text.ts";
import { missingIndexesOf } from "./missing-indexes.ts";
import { outboxOf } from "./outbox-of.ts";
import { whyNoOwnTables } from "./own-tables.ts";
import { rowSecurityWarning } from "./row-security.ts";
import { limitsOf } from "./store-limits.ts";

type Capability = OutboxDetail["capabilities"]["actions"][string];

function unless(reason: string | null): Capability {
  return { possible: reason === null, reason, how: null };
}

/** One outbox as recognised: mapping, possible actions (or why not), missing indexes. */
export async function getOutbox(input: { runtime: Runtime; outbox: string }): Promise<OutboxDetail> {
  const handle = await input.runtime.outbox(input.outbox);
  const { mapping, config, recognition } = handle;
  const immovable = await outboxOf(handle).act.whyRowsStay();
  const missingIndexes = await missingIndexesOf(handle);
  const ordering = orderingOf(mapping, config.relay?.ordering ?? "aggregate", handle.store.capabilities);
  const switched = (action: ActionSwitch, otherwise: () => Capability): Capability => {
    const reason = switchRefusal(input.runtime, handle, action);
    return reason === null ? otherwise() : { possible: false, reason, how: null };
  };
  return {
    name: handle.name,
    store: handle.store.name,
    storeAddress: handle.store.address,
    readUnits: handle.store.readUnits(),
    table: `${mapping.table.schema}.${mapping.table.name}`,
    mode: config.mode,
    shape: {
      slug: mapping.shape,
      title: recognition.title,
      confidence: recognition.confidence,
      question: recognition.question,
    },
    primaryKey: mapping.primaryKey.map((column) => column.name),
    roles: rolesOf(mapping),
    lifecycle: { kind: mapping.lifecycle.kind, text: lifecycleText(mapping) },
    capabilities: {
      actions: {
        ...Object.fromEntries(
          MESSAGE_ACTIONS.map((action) => [action, switched(action, () => capability(handle, action, immovable))]),
        ),
        republish: switched("republish", () => republishing(handle)),
        bulk: switched("bulk", () => unless(whyReadOnly(handle))),
        pause: switched("pause", () => unless(whyNoPause(handle))),
      },
      corrections: await correctionsOf(input.runtime, handle),
      attemptsRecorded:
        (handle.storeSide && handle.store.capabilities.relays) || mapping.columns.attempts !== undefined,
      ordering,
    },
    missingIndexes,
    thresholds: thresholdsOf(handle),
    relay: relayOf(handle, input.runtime),
    warnings: warningsOf(handle, immovable),
  };
}

/** In one order: an accepted mapping comes from JSON of the database, which orders its keys. */
function rolesOf({ columns }: OutboxMapping): OutboxDetail["roles"] {
  return COLUMN_ROLES.flatMap((role) => {
    const column = columns[role];
    return column ? [{ role, column: column.name, type: column.type, from: column.from }] : [];
  });
}

function capability(handle: OutboxHandle, action: MessageAction, immovable: string | null): Capability {
  const no = (reason: string) => ({ possible: false, reason, how: null });
  const readOnly = whyReadOnly(handle);
  if (readOnly !== null) return no(readOnly);
  const act = outboxOf(handle).act;
  const refused = act.refuses(action);
  if (refused) return no(refused);
  const native = act.marksDead;
  const { archiveTable } = handle.mapping;
  if (action === "archive" && immovable) return no(`Rows of this table cannot be moved: ${immovable}.`);
  if (action === "dead-letter" && immovable && !native && !handle.config.relay)
    return no(
      `Rows of this table cannot be moved (${immovable}), and no column says dead: the program that publishes it would still send them.`,
    );
  const how =
    act.does(action) ??
    {
      retry: "attempts start again at 0, history is kept",
      "dead-letter": native
        ? "in the table's own columns"
        : immovable
          ? "recorded in the console's own tables; the row stays"
          : "moved to the dead letters as an exact image",
      archive: archiveTable ? `moved to ${archiveTable.name}` : "moved to the archive as an exact image",
      restore: "the identical row is put back",
      purge: "deleted from the archive permanently; only through the API",
    }[action];
  return { possible: true, reason: null, how };
}

function republishing(handle: OutboxHandle): Capability {
  const reason = whyReadOnly(handle) ?? whyNoReplay(handle);
  if (reason !== null) return { possible: false, reason, how: null };
  return { possible: true, reason: null, how: "sent once more with a header; the row stays as it is" };
}

function whyReadOnly(handle: OutboxHandle): string | null {
  const { config, storeSide } = handle;
  if (config.mode === "observe")
    return `This outbox is observed only. Set mode: operate in outbox.yaml and run \`${ourCommand("migrate")}\`.`;
  return storeSide ? whyUndecided(handle) : whyNoOwnTables(handle);
}

async function correctionsOf(
  runtime: Runtime,
  handle: OutboxHandle,
): Promise<OutboxDetail["capabilities"]["corrections"]> {
  const reason = switchRefusal(runtime, handle, "correct") ?? (await whyNoCorrection(handle));
  return { possible: reason === null, reason };
}

function thresholdsOf(handle: OutboxHandle): OutboxDetail["thresholds"] {
  const { oldestPending, dead, failed } = handle.config.thresholds;
  const duration = (ms: number) => formatLimit(ms / 1000);
  return [
    { name: "Oldest not published", warn: duration(oldestPending.warn), fail: duration(oldestPending.fail) },
    { name: "Dead", warn: String(dead.warn), fail: String(dead.fail) },
    { name: "Failed", warn: String(failed.warn), fail: String(failed.fail) },
  ];
}

function relayOf(handle: OutboxHandle, runtime: Runtime): OutboxDetail["relay"] {
  const { relay } = handle.config;
  if (!relay) return null;
  const kind = runtime.config.sinks[relay.sink]?.kind ?? "unknown";
  return {
    source: relay.source,
    sink: `${relay.sink} (${kind})`,
    maxAttempts: relay.maxAttempts,
    retry: `from ${formatLimit(relay.retry.initial / 1000)}, doubling, at most ${formatLimit(relay.retry.max / 1000)}, with jitter`,
    onFailure:
      relay.onFailure === "block"
        ? "later messages of its aggregate wait (block)"
        : "later messages of its aggregate continue (pass)",
    onDead:
      relay.onDead === "hold" ? "its aggregate waits until someone acts (hold)" : "its aggregate continues (pass)",
  };
}

function warningsOf(handle: OutboxHandle, immovable: string | null): string[] {
  const warnings = [...handle.recognition.warnings, ...limitsOf(handle.store.capabilities)];
  if (handle.catalog.rowSecurity) warnings.push(rowSecurityWarning(handle.mapping.table));
  if (immovable && handle.config.mode !== "observe")
    warnings.push(
      `Rows cannot be moved out of this table (${immovable}). They cannot be archived, and a dead message stays in the table, marked by its own columns or recorded by our relay.`,
    );
  return warnings;
}
