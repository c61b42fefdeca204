import { LeaseLostError } from "../../port/relay/lease.ts";
import type { RelayTable } from "../../port/relay/relay-table.ts";
import { asking } from "../connection/to-store-error.ts";

/** Synchronous methods, which ask DynamoDB nothing. */
const SILENT: readonly string[] = ["compareOrder", "leaveOut", "listen"];

type Method = (...args: unknown[]) => Promise<unknown>;

/** Wraps a relay table so that its methods throw the port's errors. Getters stay getters. */
export function withPortErrors(table: RelayTable): RelayTable {
  const properties = Object.getOwnPropertyDescriptors(table);
  const wrapped = Object.defineProperties({}, properties) as unknown as Record<string, unknown>;
  for (const [name, { value }] of Object.entries(properties) as [string, PropertyDescriptor][]) {
    if (typeof value !== "function" || SILENT.includes(name)) continue;
    wrapped[name] = (...args: unknown[]) => inPortWords(table.outbox, () => (value as Method)(...args));
  }
  return wrapped as unknown as RelayTable;
}

function inPortWords<T>(outbox: string, work: () => Promise<T>): Promise<T> {
  let lost: LeaseLostError | null = null;
  const noting = async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LeaseLostError) lost = error;
      throw error;
    }
  };
  return asking(`outbox ${outbox}`, noting).catch((error: unknown) => {
    throw lost ?? error;
  });
}
