import { z } from "zod";
import { ACTION_SWITCHES } from "#domain/message/action-switch.ts";

/** Switches by action; one that is left out is on. */
export const actionsSchema = z.strictObject(
  Object.fromEntries(ACTION_SWITCHES.map((action) => [action, z.boolean().optional()])) as Record<
    (typeof ACTION_SWITCHES)[number],
    z.ZodOptional<z.ZodBoolean>
  >,
);
