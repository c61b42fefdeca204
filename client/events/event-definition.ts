import type { OutputOf, StandardSchema } from "./standard-schema.ts";

/** One type of event: what producers write, consumers read and the console shows. */
export interface EventDefinition<S extends StandardSchema> {
  /** Of the payload's layout, from 1; written with every event. Raise it when older code cannot read the payload. */
  version: number;
  /** The aggregate's type: events of one aggregate are delivered in order. */
  aggregate: string;
  schema: S;
  /** A sentence that explains the event to people; the console shows it. */
  description?: string;
  /** The aggregate's id, of the payload that the schema accepted. Without it the call to `add` names the key. */
  key?(payload: OutputOf<S>): string;
  /** Turns a payload of an older version into this version's, before the schema sees it; it may be asynchronous. */
  upgrade?(payload: unknown, version: number): unknown;
  /** Paths of personal or secret values, such as `email`, `customer.name` or `lines.*.note`; the console masks them. */
  sensitive?: readonly string[];
  /** For a schema whose library cannot describe itself. */
  jsonSchema?: Record<string, unknown>;
}
