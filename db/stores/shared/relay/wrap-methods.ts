import { AppError } from "#domain/errors.ts";
import { LeaseLostError } from "../../port/relay/lease.ts";
import { StreamError } from "../../port/relay/relay-stream.ts";

/** Synchronous methods of a relay table and its stream, which throw no database errors. */
const SILENT: readonly string[] = ["compareOrder", "leaveOut", "listen", "positionOf"];

const OF_THE_PORT = [AppError, LeaseLostError, StreamError];

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Wraps each method of a relay table or its stream, so that it throws what `toPort` makes of an error. Getters stay
 * getters.
 */
export function wrapMethods<Wrapped extends object>(
  object: Wrapped,
  toPort: (error: unknown, method: string) => unknown,
): Wrapped {
  const properties = Object.getOwnPropertyDescriptors(object);
  const wrapped = Object.defineProperties({}, properties) as Record<string, unknown>;
  for (const [name, { value }] of Object.entries(properties) as [string, PropertyDescriptor][]) {
    if (typeof value !== "function" || SILENT.includes(name)) continue;
    wrapped[name] = (...args: unknown[]) =>
      (value as Method)(...args).catch(async (error: unknown) => {
        throw await toPort(error, name);
      });
  }
  return wrapped as Wrapped;
}

/** An error that the port names: callers know it as it is. */
export function isOfThePort(error: Error): boolean {
  return OF_THE_PORT.some((kind) => error instanceof kind);
}
