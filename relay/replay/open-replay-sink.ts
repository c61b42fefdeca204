import { AppError, messageOf } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import { routeSchema } from "#services/config/route-schema.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import { missingRouteFields } from "#services/outboxes/missing-route-fields.ts";
import { createRouter } from "../routing/create-router.ts";
import { openSink } from "../sinks/open-sink.ts";
import { publishInOrder } from "./publish-in-order.ts";

/** Messages in flight at an http sink: a share of the relay's, which publishes at the same time. */
const CONCURRENCY = 8;

/** A sink for re-published messages, with its own connections and the outbox's route. */
export const openReplaySink: OpenReplaySink = async ({ runtime, handle, sink: name }) => {
  const config = runtime.config.sinks[name];
  if (!config) throw new AppError("invalid_input", `There is no sink named "${name}" in outbox.yaml any more.`);
  const [missing] = missingRouteFields(handle);
  if (missing !== undefined) throw new AppError("invalid_input", missing);
  const route = createRouter({
    config: handle.config.relay?.route ?? routeSchema.parse({}),
    outbox: handle.name,
    sinkKind: config.kind,
  });
  const sink = await openSink({ config, outbox: handle.name, concurrency: CONCURRENCY, route });
  let connected: Promise<void> | undefined;
  return {
    async publish(messages, signal) {
      connected ??= sink.connect();
      const failure = await connected.then(() => null, toFailure);
      if (failure === null) return publishInOrder(sink, messages, signal);
      connected = undefined;
      return messages.map(() => ({ kind: "failed", failure }));
    },
    close: () => sink.close(),
  };
};

function toFailure(error: unknown): Failure {
  return { code: "unreachable", kind: "environment", message: messageOf(error) };
}
