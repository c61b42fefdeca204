import { z } from "zod";
import { boundSchema } from "#contracts/common.ts";
import { AppError } from "#domain/errors.ts";

/** Where each of several lists continues, by its name; null: it has ended. */
export type Places = Readonly<Record<string, { at: string; id: string } | null>>;

/** Where a page begins, as a page's link says it; undefined on the first page. Throws: invalid_input. */
export function parsePlaces(cursor: string | undefined, idSchema: z.ZodType<string>): Places | undefined {
  if (cursor === undefined) return undefined;
  const placesSchema = z.record(z.string().max(500), z.tuple([boundSchema, idSchema]).nullable());
  const parsed = placesSchema.safeParse(jsonOf(Buffer.from(cursor, "base64url").toString()));
  if (!parsed.success)
    throw new AppError("invalid_input", "This page link is damaged; start again from the first page.");
  return Object.fromEntries(
    Object.entries(parsed.data).map(([name, place]) => [name, place && { at: place[0], id: place[1] }]),
  );
}

/**
 * Where the next page begins; null if there is none. `places`: those after this page, null if all lists that were read
 * have ended. `kept`: those of lists that could not be read; one without a place begins at its newest. They have a
 * further page, but none after a page without `entries`: who reads page by page comes to an end.
 */
export function nextCursorOf(page: {
  places: Places | null;
  read: readonly { name: string }[];
  kept: Places;
  missing: readonly string[];
  entries: number;
}): string | null {
  if (page.places === null && (page.missing.length === 0 || page.entries === 0)) return null;
  const ended = Object.fromEntries(page.read.map(({ name }) => [name, null]));
  return printPlaces({ ...page.kept, ...(page.places ?? ended) });
}

function printPlaces(places: Places): string {
  const short = Object.entries(places).map(([name, place]) => [name, place && [place.at, place.id]]);
  return Buffer.from(JSON.stringify(Object.fromEntries(short))).toString("base64url");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
