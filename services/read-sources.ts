import { toAppError } from "#domain/errors.ts";
import type { Places } from "./places-cursor.ts";

interface SourcesRead<Read> {
  reads: Read[];
  /** Unchanged places of the sources that could not be read. */
  kept: Places;
  /** A sentence for each of those. */
  missing: string[];
}

/**
 * One page of each of several lists, which `read` begins at the list's place: undefined on the first page, null where it
 * has ended. Throws the first error if none can be read. `missing`: the beginning of the sentence about one that cannot.
 */
export async function readSources<Source extends { name: string }, Read>(
  sources: readonly Source[],
  begins: Places | undefined,
  {
    read,
    missing,
  }: {
    read: (source: Source, before: Places[string] | undefined) => Promise<Read>;
    missing: (name: string) => string;
  },
): Promise<SourcesRead<Read>> {
  const asked = await Promise.allSettled(sources.map((source) => read(source, begins?.[source.name])));
  const reads = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = sources.flatMap(({ name }, index) => {
    const one = asked[index];
    return one?.status === "rejected" ? [{ name, error: one.reason as unknown }] : [];
  });
  if (reads.length === 0 && failed[0]) throw failed[0].error;
  const kept = failed.flatMap(({ name }) => (begins?.[name] ? [[name, begins[name]] as const] : []));
  const sentences = failed.map(({ name, error }) => `${missing(name)}: ${toAppError(error).message}`);
  return { reads, kept: Object.fromEntries(kept), missing: sentences };
}
