import { z } from "zod";
import { ERROR_CODES } from "../domain/errors.ts";
import { MESSAGE_ACTIONS, MESSAGE_STATES } from "../domain/message/message-state.ts";
import { MODES, ROLES } from "../domain/operator.ts";

/** RFC 3339 in UTC, fractional seconds as the database gave them. */
export const instantSchema = z.string();
/** Text stored in a database, which allows no zero byte; at most `longest` characters. */
export const textSchema = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => !text.includes("\0"), "must not contain a zero byte");
export const LEAST_REASON = 3;
/** Why somebody acts, or what came of it, for the audit. */
export const reasonSchema = textSchema(500)
  .trim()
  .min(LEAST_REASON, `a reason of at least ${LEAST_REASON} characters is needed`);
/** RFC 3339 bound of a time filter. Databases have no year 0. */
export const boundSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith("0000"), "is before year 1");
export const stateSchema = z.enum(MESSAGE_STATES);
export const actionSchema = z.enum(MESSAGE_ACTIONS);
export const modeSchema = z.enum(MODES);
export const roleSchema = z.enum(ROLES);

/** A count and its precision: `capped` means "at least"; `estimate` comes from statistics. */
export const figureSchema = z.object({
  value: z.number(),
  precision: z.enum(["exact", "capped", "estimate", "unknown"]),
});
export type Figure = z.infer<typeof figureSchema>;

/**
 * Set for an outbox or inbox that is configured or was seen before, and is missing now. `since`: when its database
 * first answered without it, null if unknown; `forgettable`: an administrator may forget it. Null if it is present, or
 * if its database was read before and is silent now.
 */
export const absentSchema = z.object({ since: instantSchema.nullable(), forgettable: z.boolean() }).nullable();

export const errorBodySchema = z.object({
  error: z.object({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string(),
  }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
