import { readFile, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { configPath } from "../config/load-config.ts";
import { type EventCatalog, eventCatalogSchema } from "./event-catalog.ts";

/** `problem`: a sentence, which names the file without its folder. */
export type ReadRegistry = { catalog: EventCatalog } | { problem: string };

const MOST_BYTES = 8_000_000;
const read = new Map<string, { stamp: string; registry: ReadRegistry }>();

/**
 * The registry of an outbox, from a file whose path counts from the configuration's folder. Read again when it changes.
 */
export async function readRegistry(path: string): Promise<ReadRegistry> {
  const folder = dirname(configPath(process.env) ?? "outbox.yaml");
  const file = resolve(/* turbopackIgnore: true */ folder, path);
  const name = basename(file);
  try {
    const { mtimeMs, size } = await stat(/* turbopackIgnore: true */ file);
    if (size > MOST_BYTES) return { problem: `${name} has more than ${MOST_BYTES / 1_000_000} MB and is not read.` };
    const stamp = `${mtimeMs} ${size}`;
    const known = read.get(file);
    if (known?.stamp === stamp) return known.registry;
    const registry = parse(await readFile(/* turbopackIgnore: true */ file, "utf8"), name);
    read.set(file, { stamp, registry });
    return registry;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return { problem: `${name} cannot be read (${code}).` };
  }
}

function parse(text: string, name: string): ReadRegistry {
  try {
    const parsed = eventCatalogSchema.safeParse(JSON.parse(text));
    if (parsed.success) return { catalog: parsed.data };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { problem: `${name} is not a registry of format 1, as toJsonSchema() of the client writes it.` };
}
