import type { Rates } from "#db/records/read-samples.ts";
import type { ConnectorFacts } from "#domain/diagnosis/facts/connector.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { perRuntime } from "../per-runtime.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { withoutSecrets } from "./connect-answers.ts";
import { otherConnectors } from "./other-connectors.ts";
import { type ConnectorLook, connectorSlotOf } from "./read-connector.ts";

interface Stall {
  offset: string;
  since: string;
}

const stallsOf = perRuntime(() => new Map<string, Stall>());

/**
 * The connector in the diagnosis's form: null if none publishes the outbox, undefined if it could not be read in time.
 * `asOf` is on the database's clock. Call it once per reading: it remembers since when the offset does not advance.
 */
export function connectorFacts(
  runtime: Runtime,
  handle: OutboxHandle,
  { look, rates, asOf }: { look: ConnectorLook | null | undefined; rates: Rates | null; asOf: string },
): ConnectorFacts | null | undefined {
  const { debezium } = handle.config;
  if (!debezium) return null;
  if (!look) return undefined;
  const { status, problem } = look;
  return {
    connector: debezium.connector,
    address: debezium.connect.address,
    problem: problem && { kind: problem.kind, message: problem.message },
    state: status?.connector.state ?? null,
    trace: traceOf(status?.connector),
    tasks: (status?.tasks ?? []).map((task) => ({ id: task.id, state: task.state, trace: traceOf(task) })),
    slot: connectorSlotOf(runtime, handle),
    logKept: outboxOf(handle).handover?.keeps === "slot",
    others: otherConnectors(handle, look.all),
    stalledSince: stalledSince(runtime, handle.name, { look, rates, asOf }),
  };
}

function traceOf(told: { trace?: string | undefined } | undefined): string | null {
  return told?.trace === undefined ? null : withoutSecrets(told.trace);
}

/** Only while rows arrive at every reading, because in a quiet table the offset does not advance either. */
function stalledSince(
  runtime: Runtime,
  outbox: string,
  { look, rates, asOf }: { look: ConnectorLook; rates: Rates | null; asOf: string },
): string | null {
  const stalls = stallsOf(runtime);
  const { offsets, status } = look;
  const arrives = (rates?.inPerSecond ?? 0) > 0;
  if (!offsets || !arrives || status?.connector.state !== "RUNNING") {
    stalls.delete(outbox);
    return null;
  }
  const offset = JSON.stringify(offsets);
  const known = stalls.get(outbox);
  if (known?.offset === offset) return known.since;
  stalls.set(outbox, { offset, since: asOf });
  return null;
}
