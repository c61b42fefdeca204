import { ClientError } from "./errors.ts";
import type { Adapter } from "./sql/adapter.ts";

/** Throws for an option that does not exist: it would be dropped silently, and with it a delay or a table's name. */
export function requireOptions(of: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ClientError("invalid_input", `${of} has no option ${unknown}; these are: ${known.join(", ")}.`);
}

/** For code without types. */
export function requireAdapter(of: string, options: { via?: Partial<Adapter<unknown, unknown>> } | undefined): void {
  if (typeof options?.via?.run === "function") return;
  throw new ClientError(
    "invalid_input",
    `${of} needs the option via, an adapter for your library: via: pg() of "@outbox-console/client/pg", for example.`,
  );
}
