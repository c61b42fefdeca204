import { z } from "zod";

/** Whether a stored payload fits the schema that the registry has for its type. Names paths and rules, never values. */
const verdictSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("fits") }),
  z.object({
    kind: z.literal("unfit"),
    /** The first; `path` is empty for the whole payload. */
    issues: z.array(z.object({ path: z.string(), message: z.string() })),
    /** How many further ones there are. */
    more: z.number(),
  }),
  /** `reason`: a sentence. */
  z.object({ kind: z.literal("not_checked"), reason: z.string() }),
]);

/** The entry for a message in the outbox's registry. */
export const registeredEventSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("known"),
    description: z.string().nullable(),
    version: z.number(),
    /** With which the message was written, by its header `event-version`; null without one. */
    writtenVersion: z.string().nullable(),
    aggregate: z.string(),
    /** Paths of values that are marked sensitive; `*` stands for every element or member. */
    sensitive: z.array(z.string()),
    verdict: verdictSchema,
  }),
  /** The registry has no entry for it, or cannot be read. `reason`: a sentence. */
  z.object({ kind: z.literal("unknown"), reason: z.string() }),
]);
export type RegisteredEvent = z.infer<typeof registeredEventSchema>;
