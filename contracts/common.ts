import { z } from "zod";
import { ERROR_CODES } from "../domain/errors.ts";
import { MESSAGE_ACTIONS, MESSAGE_STATES } from "../domain/message-state.ts";
import { MODES, ROLES } from "../domain/operator.ts";

/** RFC 3339 in UTC with as many digits as the database gave. */
export const instantSchema = z.string();
/** Text that goes into a database, where none may hold a zero byte. */
export const textSchema = (longest: number) =>
  z
    .string()
    .max(longest)
    .refine((text) => !text.includes("\0"), "must not contain a zero byte");
/** An instant to compare with: RFC 3339; no database knows a year 0. */
export const boundSchema = z.iso
  .datetime({ offset: true })
  .refine((text) => !text.startsWith("0000"), "is before year 1");
export const stateSchema = z.enum(MESSAGE_STATES);
export const actionSchema = z.enum(MESSAGE_ACTIONS);
export const modeSchema = z.enum(MODES);
export const roleSchema = z.enum(ROLES);

/** A number with how exactly it is known: `capped` means "at least", `estimate` is from statistics. */
export const figureSchema = z.object({
  value: z.number(),
  precision: z.enum(["exact", "capped", "estimate", "unknown"]),
});
export type Figure = z.infer<typeof figureSchema>;

/**
 * Of an outbox or inbox that is configured or was once there, and is not there now: since when its database has answered
 * without it (null: not known), and whether an administrator may forget it. Null for one that is there, and for one whose
 * database was read before and is silent now.
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
