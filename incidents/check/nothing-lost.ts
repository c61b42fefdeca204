import { waitFor } from "#tests/wait-for.ts";
import type { Scene } from "../scene.ts";

const ARRIVES_WITHIN_MS = 60_000;

/** Ids of written events that neither our sink confirmed nor another relay delivered. */
export async function lostEvents(scene: Scene): Promise<string[]> {
  const missing = () =>
    [...scene.sent].filter((id) => !scene.sink.received.has(id) && !scene.deliveredByOthers.has(id));
  await waitFor(() => missing().length === 0, { timeoutMs: ARRIVES_WITHIN_MS, message: "all has arrived" }).catch(
    () => undefined,
  );
  return missing();
}
