import { ClientError } from "./errors.ts";
import { type Adapter, DIALECTS } from "./sql/adapter.ts";

/** Throws for an option that does not exist: it would be dropped silently, and with it a delay or a table's name. */
export function requireOptions(of: string, given: object, known: readonly string[]): void {
  requirePlainObject(`The options of ${of}`, given);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ClientError("invalid_input", `${of} has no option ${unknown}; these are: ${known.join(", ")}.`);
}

/** For code without types: by its tag, because a plain object of another realm, as in Jest, has another prototype. */
export function requirePlainObject(what: string, given: unknown): void {
  if (Object.prototype.toString.call(given) === "[object Object]") return;
  throw new ClientError("invalid_input", `${what} are no plain object, such as { name: value }.`);
}

/** For code without types. */
export function requireAdapter(of: string, options: { via?: Partial<Adapter<unknown, unknown>> } | undefined): void {
  if (typeof options?.via?.run === "function") {
    requireOneOf(`The dialect of the adapter of ${options.via.name}`, options.via.dialect, DIALECTS);
    return;
  }
  throw new ClientError(
    "invalid_input",
    `${of} needs the option via, an adapter for your library: via: pg() of "@outbox-console/client/pg", for example.`,
  );
}

/** For code without types: another value would be taken for the default. */
export function requireOneOf(what: string, given: unknown, allowed: readonly string[]): void {
  if (given === undefined || allowed.includes(given as string)) return;
  const listed = allowed.map((one) => JSON.stringify(one));
  const others = listed.length > 1 ? `${listed.slice(0, -1).join(", ")} or ` : "";
  throw new ClientError("invalid_input", `${what} is ${JSON.stringify(given)}; it may be ${others}${listed.at(-1)}.`);
}

/** For code without types. */
export function requireRegistry(of: string, events: { has?: unknown } | undefined): void {
  if (typeof events?.has === "function") return;
  throw new ClientError("invalid_input", `${of} takes the registry first: what defineEvents({ … }) returns.`);
}
