import { z } from "zod";

/**
 * A value that a decoder read, in the order of the stored bytes. Numbers keep their text. `more`: how many further
 * entries there are that are not listed.
 */
export type PayloadNode =
  | { kind: "object"; type: string | null; entries: { key: string; value: PayloadNode }[]; more: number }
  | { kind: "list"; type: string | null; items: PayloadNode[]; more: number }
  /** `type`: its type in its format, if the text does not show it. */
  | { kind: "scalar"; type: string | null; text: string }
  | { kind: "string"; text: string }
  /** The first bytes as hex; `size` is the number of all bytes. */
  | { kind: "bytes"; hex: string; size: number };

const payloadNodeSchema: z.ZodType<PayloadNode> = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("object"),
      type: z.string().nullable(),
      get entries() {
        return z.array(z.object({ key: z.string(), value: payloadNodeSchema }));
      },
      more: z.number(),
    }),
    z.object({
      kind: z.literal("list"),
      type: z.string().nullable(),
      get items() {
        return z.array(payloadNodeSchema);
      },
      more: z.number(),
    }),
    z.object({ kind: z.literal("scalar"), type: z.string().nullable(), text: z.string() }),
    z.object({ kind: z.literal("string"), text: z.string() }),
    z.object({ kind: z.literal("bytes"), hex: z.string(), size: z.number() }),
  ])
  .meta({ id: "PayloadNode" });

/** Result of the decoding. */
const payloadBodySchema = z.discriminatedUnion("kind", [
  /** JSON text; its values are character by character as they are inside their layers. */
  z.object({ kind: z.literal("json"), text: z.string() }),
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("fields"), root: payloadNodeSchema }),
  /** No format is claimed. `head`: the first bytes of the innermost content in base64; null if no layer was removed. */
  z.object({ kind: z.literal("unknown"), head: z.string().nullable() }),
]);
export type PayloadBody = z.infer<typeof payloadBodySchema>;

export const decodedPayloadSchema = z.object({
  /** Layers from the outside in: the column's type, encodings, envelopes, the format. */
  chain: z.array(z.string()),
  /** Bytes of the innermost content. */
  bytes: z.number(),
  envelopes: z.array(z.object({ name: z.string(), facts: z.array(z.object({ name: z.string(), value: z.string() })) })),
  body: payloadBodySchema,
  /** Claim checks: places outside the row that hold content. Nothing is fetched. */
  references: z.array(z.object({ place: z.string(), address: z.string() })),
  /** Sentences: what was cut or could not be read. */
  notices: z.array(z.string()),
  /** Sentences: how the content was read, and what is uncertain. */
  remarks: z.array(z.string()),
});
export type DecodedPayload = z.infer<typeof decodedPayloadSchema>;

/** Payload and headers of one message, decoded; null where the row has none. */
export const decodedMessageSchema = z.object({
  payload: decodedPayloadSchema.nullable(),
  headers: decodedPayloadSchema.nullable(),
});
export type DecodedMessage = z.infer<typeof decodedMessageSchema>;

/** Which column's bytes to download. */
export const rawPayloadQuerySchema = z.object({ part: z.enum(["payload", "headers"]).default("payload") });
