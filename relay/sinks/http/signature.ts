import { createHmac, createSecretKey, type KeyObject } from "node:crypto";
import { AppError } from "#domain/errors.ts";

/** Headers of one request as names and values alternating. `id` is the encoded value of webhook-id. */
export type Signer = (id: string, body: string | Buffer, nowMs: number) => [string, string, string, string];

const PREFIX = "whsec_";
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Signs per Standard Webhooks 1.0: `v1,` and the base64 HMAC-SHA256 over `id.timestamp.body`. Each of several secrets,
 * separated by spaces, signs, so that receivers can rotate secrets without a gap.
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
    throw new AppError("invalid_input", "A secret of the http sink begins with whsec_, but the rest is not base64.");
  }
  return createSecretKey(Buffer.from(encoded, "base64"));
}
