import type { PayloadNode } from "#contracts/message/payloads.ts";
import { formatCount } from "#domain/format.ts";
import type { ByteReader } from "../byte-reader.ts";
import { CharacterBudget } from "../character-budget.ts";
import { Unreadable } from "../layer.ts";
import { bytesNode, deeper, FALSE, type NodeCollector, NULL, scalar, stringNode, TRUE } from "../nodes.ts";
import { numberText } from "./messagepack.ts";

/** Values of some types take no bytes, so the bytes alone do not bound how many there are. */
const MOST_VALUES = 200_000;

type Schema = string | Schema[] | { [name: string]: unknown; type?: unknown };

/** Reads Avro values by a schema. Every schema is data: no code is made of it. */
export class AvroValues {
  readonly #schema: Schema;
  readonly #nodes: NodeCollector;
  readonly #named = new Map<string, Schema>();
  readonly #nameCharacters = new CharacterBudget();
  #values = 0;

  /** `schema`: parsed JSON, of any shape. Throws Unreadable where its names are too long together. */
  constructor(schema: unknown, nodes: NodeCollector) {
    this.#schema = schema as Schema;
    this.#nodes = nodes;
    this.#collectNames(this.#schema, "", 0);
  }

  /** Throws Unreadable where the bytes or the schema are wrong. */
  read(input: ByteReader): PayloadNode {
    return this.#value(this.#schema, input, 0);
  }

  #value(schema: Schema, input: ByteReader, depth: number): PayloadNode {
    this.#values += 1;
    if (this.#values > MOST_VALUES) throw new Unreadable(`it holds more than ${formatCount(MOST_VALUES)} values.`);
    if (typeof schema === "string") return this.#byName(schema, input, depth);
    if (Array.isArray(schema)) {
      const branch = schema[Number(longOf(input))];
      if (branch === undefined) throw new Unreadable("no such branch");
      return this.#value(branch, input, depth);
    }
    if (typeof schema !== "object" || schema === null) throw new Unreadable("no schema");
    switch (schema.type) {
      case "record":
      case "error":
        return this.#record(schema, input, deeper(depth));
      case "enum":
        return scalar(nameIn(listIn(schema.symbols)[Number(longOf(input))] ?? "(unknown symbol)"));
      case "fixed":
        return bytesNode(input.take(sizeIn(schema.size)));
      case "array":
        return this.#array(schema, input, deeper(depth));
      case "map":
        return this.#map(schema, input, deeper(depth));
      default:
        return this.#value(schema.type as Schema, input, deeper(depth));
    }
  }

  #byName(name: string, input: ByteReader, depth: number): PayloadNode {
    switch (name) {
      case "null":
        return NULL;
      case "boolean":
        return input.uint8() === 0 ? FALSE : TRUE;
      case "int":
      case "long":
        return scalar(String(longOf(input)));
      case "float":
        return scalar(numberText(input.float32(true)));
      case "double":
        return scalar(numberText(input.float64(true)));
      case "bytes":
        return bytesNode(input.take(Number(longOf(input))));
      case "string":
        return stringNode(input.text(Number(longOf(input))));
      default: {
        const schema = this.#named.get(name);
        if (schema === undefined) throw new Unreadable(`no type ${name}`);
        return this.#value(schema, input, deeper(depth));
      }
    }
  }

  #record(schema: { [name: string]: unknown }, input: ByteReader, depth: number): PayloadNode {
    const fields = listIn(schema.fields) as { name?: unknown; type?: unknown }[];
    const type = typeof schema.name === "string" ? schema.name : null;
    return this.#nodes.object(type, fields.length, (index) => ({
      key: nameIn(fields[index]?.name),
      value: this.#value(fields[index]?.type as Schema, input, depth),
    }));
  }

  #array(schema: { [name: string]: unknown }, input: ByteReader, depth: number): PayloadNode {
    const node = this.#nodes.list(null, 0, () => NULL);
    for (let count = blockCount(input); count > 0; count = blockCount(input)) {
      for (let item = 0; item < count; item += 1)
        this.#nodes.addItem(node, () => this.#value(schema.items as Schema, input, depth));
    }
    return node;
  }

  #map(schema: { [name: string]: unknown }, input: ByteReader, depth: number): PayloadNode {
    const node = this.#nodes.object(null, 0, () => ({ key: "", value: NULL }));
    for (let count = blockCount(input); count > 0; count = blockCount(input)) {
      for (let entry = 0; entry < count; entry += 1)
        this.#nodes.addEntry(node, () => ({
          key: input.text(Number(longOf(input))),
          value: this.#value(schema.values as Schema, input, depth),
        }));
    }
    return node;
  }

  /** Types are referred to by name, with or without their namespace. */
  #collectNames(schema: Schema, namespace: string, depth: number): void {
    const level = deeper(depth);
    if (Array.isArray(schema)) {
      for (const one of schema) this.#collectNames(one, namespace, level);
      return;
    }
    if (typeof schema !== "object" || schema === null) return;
    const space = typeof schema.namespace === "string" ? schema.namespace : namespace;
    if (typeof schema.name === "string") {
      this.#nameCharacters.spend(space.length + schema.name.length);
      this.#named.set(schema.name, schema);
      if (space !== "") this.#named.set(`${space}.${schema.name}`, schema);
    }
    for (const field of listIn(schema.fields))
      this.#collectNames((field as { type?: Schema } | null)?.type ?? "", space, level);
    for (const inner of [schema.items, schema.values, schema.type]) this.#collectNames(inner as Schema, space, level);
  }
}

/** Zigzag number of Avro. */
export function longOf(input: ByteReader): bigint {
  const value = input.varint();
  return (value >> 1n) ^ -(value & 1n);
}

/** Number of items in the next block of an array, a map or a file's header; a negative one has a length in bytes. */
export function blockCount(input: ByteReader): number {
  const count = Number(longOf(input));
  if (count >= 0) return bounded(count, input);
  longOf(input);
  return bounded(-count, input);
}

/** Items of type null take no bytes, so a count alone could make a list of any length. */
function bounded(count: number, input: ByteReader): number {
  if (count > input.bytes.length) throw new Unreadable("more items than bytes");
  return count;
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function nameIn(value: unknown): string {
  if (typeof value !== "string") throw new Unreadable("a name in the schema is no text.");
  return value;
}

function sizeIn(value: unknown): number {
  if (typeof value !== "number") throw new Unreadable("a size in the schema is no number.");
  return value;
}
