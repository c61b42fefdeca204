import { z } from "zod";

/** PEM text, or the path of a PEM file. */
const pem = z.string().min(1);
export const tlsSchema = z.union([
  z.boolean(),
  z.strictObject({
    ca: pem.optional(),
    cert: pem.optional(),
    key: pem.optional(),
    serverName: z.string().optional(),
    /** Accept any certificate; for tests only. */
    insecure: z.boolean().default(false),
  }),
]);

export type TlsConfig = z.output<typeof tlsSchema>;
