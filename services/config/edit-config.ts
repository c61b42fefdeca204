import { type Document, isMap, isScalar, isSeq, type Node, parseDocument, visit } from "yaml";
import { AppError } from "#domain/errors.ts";

/** The settings of a mapping in outbox.yaml. */
export interface MappingEntry {
  store: string;
  table: string;
  mode: string;
  timeZone?: string;
  shape?: string;
  columns?: Readonly<Record<string, string>>;
  lifecycle?: Readonly<Record<string, unknown>>;
}

const MAPPING_KEYS = ["timeZone", "shape", "columns", "lifecycle"] as const;

/**
 * The text with the mapping of an outbox; its other settings, the other outboxes and all comments outside the mapping
 * stay. Throws: wrong_state, if the text is written with anchors or aliases there.
 */
export function withMapping(text: string, outbox: string, entry: MappingEntry): string {
  const document = read(text);
  const outboxes = document.get("outboxes", true) as Node | undefined;
  requirePlain(outboxes, "outboxes", { deep: false });
  if (!isMap(outboxes)) document.set("outboxes", document.createNode({}));
  const path = ["outboxes", outbox];
  const known = document.getIn(path, true) as Node | undefined;
  requirePlain(known, path.join("."), { deep: true });
  if (!isMap(known)) document.setIn(path, document.createNode(escaped(entry)));
  else
    for (const key of MAPPING_KEYS) {
      if (entry[key] === undefined) document.deleteIn([...path, key]);
      else document.setIn([...path, key], document.createNode(escaped(entry[key])));
    }
  return print(document, text);
}

/** The text that also names the store of DATABASE_URL, where it names no stores. */
export function withStoreOfUrl(text: string, kind: string): string {
  const document = read(text);
  if (document.has("stores")) return text;
  document.set("stores", document.createNode({ default: { kind, url: "\u0024{DATABASE_URL}" } }));
  return print(document, text);
}

/** The text that also names a table under `ignoredTables`. Throws as `withMapping`. */
export function withIgnoredTable(text: string, table: { store: string; table: string }): string {
  const document = read(text);
  const list = document.get("ignoredTables", true);
  if (list === undefined) document.set("ignoredTables", document.createNode([escaped(table)]));
  else if (isSeq(list) && !list.anchor) list.add(document.createNode(escaped(table)));
  else throw byHand("ignoredTables");
  return print(document, text);
}

/** The text as outbox.yaml must have it, where `${` begins a variable. */
export function escaped<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value).replaceAll("${", () => "$${")) as Value;
}

/** With the file's own indentation and line ends, and without breaking long lines. */
function print(document: Document, before: string): string {
  const indent = /^( {2,8})\S/m.exec(before)?.[1]?.length ?? 2;
  const text = document.toString({ lineWidth: 0, indent });
  return before.includes("\r\n") ? text.replace(/\r?\n/g, "\r\n") : text;
}

function read(text: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new AppError("wrong_state", `outbox.yaml is not valid YAML: ${error.message.split("\n")[0]}`);
  if (document.contents !== null && !isMap(document.contents)) throw byHand("the top level");
  return document;
}

/** An alias refers to text in another place, and an anchored node may also belong to another outbox. */
function requirePlain(node: Node | undefined, where: string, { deep }: { deep: boolean }): void {
  if (node === undefined || (isScalar(node) && node.value === null)) return;
  if (!isMap(node) || node.anchor) throw byHand(where);
  if (!deep) return;
  visit(node, {
    Alias: () => {
      throw byHand(where);
    },
    Node: (_, inner) => {
      if ("anchor" in inner && inner.anchor) throw byHand(where);
    },
  });
}

function byHand(where: string): AppError {
  return new AppError(
    "wrong_state",
    `${where} of outbox.yaml is written in a way that only a person can change safely: paste the lines there.`,
  );
}
