import { z } from "zod";
import { roleSchema, textSchema } from "./common.ts";

export const sessionSchema = z.object({
  mode: z.enum(["none", "password"]),
  /** Null when nobody is signed in. */
  actor: z.object({ name: z.string(), role: roleSchema }).nullable(),
});
export type Session = z.infer<typeof sessionSchema>;

export const signInRequestSchema = z.strictObject({
  name: textSchema(100).trim().min(1),
  password: z.string().min(1).max(500),
});
export type SignInRequest = z.infer<typeof signInRequestSchema>;
