import { z } from "zod";
import { reasonSchema } from "../common.ts";
import { messageDetailSchema } from "./messages.ts";
import { decodedMessageSchema } from "./payloads.ts";

export const revealRequestSchema = z.strictObject({ reason: reasonSchema });

/** A message with nothing masked. */
export const revealedSchema = z.object({ message: messageDetailSchema, decoded: decodedMessageSchema });
export type Revealed = z.infer<typeof revealedSchema>;
