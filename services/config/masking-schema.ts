import { z } from "zod";
import { parsePath } from "#domain/masking/mask-rules.ts";
import { PATTERN_NAMES } from "#domain/masking/patterns.ts";

const path = z
  .string()
  .max(300)
  .refine((text) => parsePath(text).some((part) => part !== "*"), "names no value: write for example customer.email");

const expression = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => compiled(text) !== null, "is not a regular expression")
  .refine((text) => compiled(text)?.test("") !== true, "finds the empty text");

function compiled(text: string): RegExp | null {
  try {
    return new RegExp(text, "u");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export const maskingSchema = z.strictObject({
  /** Values by where they are, at any depth of payload and headers. */
  paths: z.array(path).default([]),
  /** Values by their form: a known name, or an expression. */
  patterns: z.array(z.union([z.enum(PATTERN_NAMES), z.strictObject({ expression })])).default([]),
  /** Event types whose payload and headers are hidden whole; `*` at the end stands for the rest. */
  types: z.array(z.string().min(1).max(300)).default([]),
  /** Values that the registry of an outbox marks as sensitive. */
  registry: z.boolean().default(true),
  /** `mask`: every value that `show` does not name. */
  default: z.enum(["show", "mask"]).default("show"),
  show: z.array(path).default([]),
  /** `hidden`: no payload and no headers are shown unless they are revealed. */
  payloads: z.enum(["masked", "hidden"]).default("masked"),
  /** Default: hidden where `default` is mask. */
  errors: z.enum(["masked", "hidden"]).optional(),
  /** The role that may reveal a message. */
  reveal: z.enum(["operator", "admin", "nobody"]).default("admin"),
});

export type MaskingConfig = z.output<typeof maskingSchema>;
