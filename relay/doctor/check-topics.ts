import type { SampledMessage } from "#db/stores/port/outbox-reader.ts";
import { toAppError } from "#domain/errors.ts";
import type { DoctorReport } from "#services/doctor/report.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "#services/runtime.ts";
import { createRouter } from "../routing/create-router.ts";
import type { Router } from "../routing/router.ts";
import { openSinkToLook } from "../sinks/open-sink-to-look.ts";
import type { Sink } from "../sinks/sink.ts";

/** Most topics to look up; each costs one request to the broker. */
const MOST_TOPICS = 100;
const MOST_NAMED = 10;

/**
 * Checks that the topics named by the relays' routes exist at the broker, because messages to a missing topic wait
 * until it exists. Uses the topics of waiting and recent messages, asks reachable sinks only, and publishes and creates
 * nothing.
 */
export async function checkTopics(
  runtime: Runtime,
  reachable: ReadonlySet<string>,
  report: DoctorReport,
): Promise<void> {
  for (const outbox of (await runtime.tables()).outboxes) {
    const { relay } = outbox.config;
    if (relay && reachable.has(relay.sink)) await checkOutbox(runtime, outbox, report);
  }
}

async function checkOutbox(runtime: Runtime, outbox: OutboxHandle, report: DoctorReport): Promise<void> {
  const { relay } = outbox.config;
  const config = relay && runtime.config.sinks[relay.sink];
  if (!relay || !config) return;
  const route = createRouter({ config: relay.route, outbox: outbox.name, sinkKind: config.kind });
  const sink = await openSinkToLook({ config, outbox: outbox.name, route });
  try {
    if (sink.missingTopics) await compare({ outbox, sink, route, fields: relay.route.fields, report });
  } finally {
    await sink.close();
  }
}

async function compare(input: {
  outbox: OutboxHandle;
  sink: Sink;
  route: Router;
  fields: Readonly<Record<string, string>>;
  report: DoctorReport;
}): Promise<void> {
  const { outbox, sink, route, report } = input;
  const of = `outbox ${outbox.name}`;
  const sampled = await outboxOf(outbox)
    .read.sample(input.fields)
    .catch((error: unknown) => {
      report.bad(`${of}: the topics of its messages could not be read: ${toAppError(error).message}`);
      return null;
    });
  if (sampled === null) return;
  const { topics, failures } = routeAll(sampled, route);
  for (const failure of failures)
    report.bad(`${of}: ${failure}`, "Its messages would die at once: correct relay.route.");
  if (topics.length === 0) {
    report.ok(`${of}: the outbox has no messages yet, so its topics are not known`);
    return;
  }
  if (sink.behind) {
    report.ok(`${of}: ${sink.behind.seen}; ${sink.behind.unseen}. Its messages name: ${list(topics)}`);
    return;
  }
  const asked = topics.slice(0, MOST_TOPICS);
  const missing = (await sink.missingTopics?.(asked)) ?? [];
  for (const { message, fix } of missing) report.bad(`${of}: ${message}`, fix ?? undefined);
  const there = asked.length - missing.length;
  const names = asked.filter((topic) => !missing.some((one) => one.topic === topic));
  if (there > 0)
    report.ok(`${of}: ${there} of the ${asked.length} topics that its messages name exist: ${list(names)}`);
  if (topics.length > asked.length) report.ok(`${of}: ${topics.length - asked.length} more topics were not checked`);
}

/** Topics and reasons, without duplicates. */
function routeAll(sampled: readonly SampledMessage[], route: Router): { topics: string[]; failures: string[] } {
  const [topics, failures] = [new Set<string>(), new Set<string>()];
  for (const message of sampled) {
    const result = route({ ...message, payload: null, payloadKind: "text" });
    if ("routed" in result) topics.add(result.routed.topic);
    else failures.add(result.failure.message);
  }
  return { topics: [...topics].sort(), failures: [...failures] };
}

function list(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return `${names.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
