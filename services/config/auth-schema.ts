import { z } from "zod";

const passwordHash = z
  .string()
  .regex(/^scrypt\$\d+\$\d+\$\d+\$[\w-]{16,}\$[\w-]{40,}$/, "is not a hash made by `npm run hash-password`");

export const authSchema = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("none") }),
  z.strictObject({
    mode: z.literal("password"),
    /** scrypt hashes made by `npm run hash-password`. */
    passwords: z
      .strictObject({
        viewer: passwordHash.optional(),
        operator: passwordHash.optional(),
        admin: passwordHash.optional(),
      })
      .refine((hashes) => hashes.viewer ?? hashes.operator ?? hashes.admin, "at least one role needs a password hash"),
    /** Signs session cookies; default: derived from the hashes, so that changing a password ends its sessions. */
    sessionSecret: z.string().min(32).optional(),
  }),
]);
