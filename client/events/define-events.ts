import { ClientError } from "../errors.ts";
import { requireOptions } from "../require-options.ts";
import { type EventCatalog, toCatalog } from "./event-catalog.ts";
import type { EventDefinition } from "./event-definition.ts";
import type { InputOf, OutputOf, StandardSchema } from "./standard-schema.ts";

type Schemas = Record<string, StandardSchema>;

/** The events that producers, consumers, console and documents share. */
export interface EventRegistry<S extends Schemas = Schemas> {
  readonly types: readonly (keyof S & string)[];
  readonly definitions: { readonly [T in keyof S]: EventDefinition<S[T]> };
  has(type: string): type is keyof S & string;
  /** Types, versions, sensitive paths and JSON Schemas, as a file for the console and for documents. */
  toJsonSchema(): EventCatalog;
}

export type TypesOf<R> = R extends EventRegistry<infer S> ? keyof S & string : never;
type SchemaOf<R, T> = R extends EventRegistry<infer S> ? (T extends keyof S ? S[T] : never) : never;
/** The payload that `add` takes for a type. */
export type PayloadIn<R, T> = SchemaOf<R, T> extends infer S extends StandardSchema ? InputOf<S> : never;
/** The payload that a consumer's work gets for a type. */
export type PayloadOut<R, T> = SchemaOf<R, T> extends infer S extends StandardSchema ? OutputOf<S> : never;

/** Throws ClientError `invalid_input` for a definition that could not be written or masked. */
export function defineEvents<S extends Schemas>(
  definitions: {
    [T in keyof S]: EventDefinition<S[T]>;
  },
): EventRegistry<S> {
  if (typeof definitions !== "object" || definitions === null)
    throw new ClientError("invalid_input", "defineEvents takes an object of definitions by event type.");
  for (const [type, definition] of Object.entries(definitions)) requireSound(type, definition);
  const has = (type: string): type is keyof S & string => Object.hasOwn(definitions, type);
  return {
    types: Object.keys(definitions),
    definitions,
    has,
    toJsonSchema: () => toCatalog(definitions as Readonly<Record<string, EventDefinition<StandardSchema>>>),
  };
}

const MEMBERS = ["version", "aggregate", "schema", "description", "key", "upgrade", "sensitive", "jsonSchema"];

/** A misspelt member would be dropped silently: of `sensitive`, values would be shown. */
function requireSound(type: string, definition: EventDefinition<StandardSchema>): void {
  const wrong = (what: string) => new ClientError("invalid_input", `The event ${JSON.stringify(type)} ${what}.`);
  if (type === "") throw wrong("has no name");
  if (typeof definition !== "object" || definition === null) throw wrong("has no definition");
  requireOptions(`The event ${JSON.stringify(type)}`, definition, MEMBERS);
  const { version, aggregate, schema, key, upgrade, sensitive = [] } = definition;
  if (!Number.isInteger(version) || version < 1) throw wrong("needs a version that is a whole number from 1");
  if (typeof aggregate !== "string" || aggregate === "") throw wrong("needs the name of its aggregate");
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw wrong("needs a schema that implements Standard Schema, such as one of Zod, Valibot or ArkType");
  for (const [name, member] of Object.entries({ key, upgrade }))
    if (member !== undefined && typeof member !== "function") throw wrong(`has a ${name} that is no function`);
  if (!Array.isArray(sensitive)) throw wrong("has sensitive paths that are no list");
  const path = sensitive.find((one) => typeof one !== "string" || one.split(".").includes(""));
  if (path !== undefined) throw wrong(`has a sensitive path that is empty or has an empty part: "${path}"`);
}
