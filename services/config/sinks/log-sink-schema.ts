import { z } from "zod";

export const logSinkSchema = z.strictObject({ kind: z.literal("log") });
