import { AppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Refuses a name that no outbox has or had. Asks no store, because the store may be down. Throws: not_found.
 */
export function requireKnown({ config, known }: Runtime, name: string): void {
  if (Object.hasOwn(config.outboxes, name)) return;
  if (known.list().some((entry) => entry.kind === "outbox" && entry.name === name)) return;
  throw new AppError("not_found", `There is no outbox named "${name}".`);
}
