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

export function printPlaces(places: Places): string {
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
