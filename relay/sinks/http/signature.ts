import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { AppError } from "#domain/errors.ts";

/** Headers of one request as names and values in turn. `id` is the value of webhook-id as it travels. */
export type Signer = (id: string, body: string | Buffer, nowMs: number) => [string, string, string, string];

const PREFIX = "whsec_";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Signs as Standard Webhooks 1.0 do: HMAC-SHA256 over `id.timestamp.body`, `v1,` and base64. Of several secrets, with
 * spaces in between, each signs, so that receivers can change from one to the next without a gap.
 */
export function createSigner(secrets: string): Signer {
  const keys = secrets.split(/\s+/).filter(Boolean).map(keyOf);
  if (keys.length === 0) throw new AppError("invalid_input", "The secret of the http sink is empty.");
  return (id, body, nowMs) => {
    const timestamp = String(Math.floor(nowMs / 1000));
    const signatures = keys.map((key) => {
      const hash = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
      return `v1,${hash.digest("base64")}`;
    });
    return ["webhook-timestamp", timestamp, "webhook-signature", signatures.join(" ")];
  };
}

function keyOf(secret: string): KeyObject {
  if (!secret.startsWith(PREFIX)) return createSecretKey(secret, "utf8");
  const encoded = secret.slice(PREFIX.length);
  if (!BASE64.test(encoded)) {
    throw new AppError("invalid_input", "A secret of the http sink begins with whsec_, but what follows is no base64.");
  }
  return createSecretKey(Buffer.from(encoded, "base64"));
}
