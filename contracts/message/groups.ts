import { z } from "zod";
import type { FailureGrouping } from "../../domain/message/failure-grouping.ts";
import { boundSchema, instantSchema, reasonSchema, textSchema } from "../common.ts";

/** In a path, the group of failures without a recorded error, whose fingerprint is empty. */
export const GROUP_WITHOUT_ERROR = "none";

/** How a path names a group by error code or type: `code:timeout`, `type:order.placed`. A fingerprint has no colon. */
export function groupSegment(by: FailureGrouping, key: string): string {
  return by === "text" ? key || GROUP_WITHOUT_ERROR : `${by}:${key}`;
}

/** What a segment groups by. */
export function groupingOf(segment: string): FailureGrouping {
  return (["code", "type"] as const).find((by) => segment.startsWith(`${by}:`)) ?? "text";
}

/** The key in a segment: empty for messages without one. */
export function groupKeyOf(segment: string): string {
  const by = groupingOf(segment);
  if (by !== "text") return segment.slice(by.length + 1);
  return segment === GROUP_WITHOUT_ERROR ? "" : segment;
}

/** People's decisions about a failure group. */
export const groupMarkSchema = z.object({
  /** The person who works on it. */
  claim: z.object({ by: z.string(), since: instantSchema }).nullable(),
  resolved: z
    .object({
      by: z.string(),
      at: instantSchema,
      /** The newest failure, if it is later than the last one known when the group was resolved. */
      cameBackAt: instantSchema.nullable(),
    })
    .nullable(),
  ignored: z
    .object({
      by: z.string(),
      at: instantSchema,
      reason: z.string(),
      /** New messages an hour up to which it is ignored. */
      upTo: z.number(),
      /**
       * True while the list folds the group. Null if it is not known whether it exceeds the rate, because not every
       * failure was read or has a time; the list then shows it.
       */
      folded: z.boolean().nullable(),
    })
    .nullable(),
  notes: z.number(),
});
export type GroupMark = z.infer<typeof groupMarkSchema>;

const groupNoteSchema = z.object({ id: z.number(), at: instantSchema, by: z.string(), text: z.string() });

export const groupMemorySchema = z.object({
  fingerprint: z.string(),
  /** The group's error at the last action on it; null without one. */
  title: z.string().nullable(),
  /** Null without an action on it. */
  mark: groupMarkSchema.nullable(),
  /** Newest first. */
  notes: z.array(groupNoteSchema),
  /** Sentence: why nothing can be read or kept; null if it can. */
  problem: z.string().nullable(),
});
export type GroupMemory = z.infer<typeof groupMemorySchema>;

const nameSchema = textSchema(200).min(1);

/** `from`: the owner of the group that the person saw; null for none. */
export const groupActSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("note"), text: textSchema(2000).trim().min(1) }),
  z.object({ act: z.literal("claim"), from: nameSchema.nullable() }),
  z.object({ act: z.literal("release"), from: nameSchema }),
  /** `seen`: the group's `lastSeenAt` that the person saw; a later failure brings it back. */
  z.object({ act: z.literal("resolve"), seen: z.iso.datetime().and(boundSchema) }),
  z.object({ act: z.literal("reopen") }),
  z.object({
    act: z.literal("ignore"),
    upTo: z.number().int().min(0).max(1_000_000),
    reason: reasonSchema,
  }),
  z.object({ act: z.literal("heed") }),
]);
export type GroupAct = z.infer<typeof groupActSchema>;
