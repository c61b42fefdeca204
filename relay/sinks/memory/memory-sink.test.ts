import { describeSinkConformance } from "../sink.conformance.ts";
import { createMemorySink } from "./memory-sink.ts";

describeSinkConformance("memory", async () => {
  const sink = createMemorySink({ maxBatch: 10 });
  return {
    sink,
    received: () => sink.received.map(({ eventId, payload }) => ({ id: eventId, body: payload ?? "" })),
    close: async () => undefined,
  };
});
