import { createHmac, timingSafeEqual } from "node:crypto";
import { ClientError } from "../errors.ts";

/** Older or newer requests are refused, so that a recorded one cannot be sent again later. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks the signature of Standard Webhooks 1.0: HMAC-SHA256 over `id.timestamp.body`. One of the secrets, separated by
 * spaces, must have made one of the signatures, so that both sides can rotate. Throws `bad_signature`.
 */
export function requireSignature(
  secrets: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: Uint8Array | string },
  nowMs: number = Date.now(),
): void {
  const keys = secrets.split(/\s+/).filter(Boolean).map(keyOf);
  if (keys.length === 0 || keys.some((key) => key.length === 0))
    throw new ClientError("invalid_input", "The secret is empty.");
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  const signatures = (headers["webhook-signature"] ?? "").split(" ").filter((one) => one.startsWith("v1,"));
  if (id === "" || signatures.length === 0)
    throw new ClientError(
      "bad_signature",
      "The request is not signed: it lacks webhook-id or webhook-signature. Give the http sink a secret, and pass all of the request's headers.",
    );
  const age = Math.abs(nowMs / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > TOLERANCE_SECONDS)
    throw new ClientError("bad_signature", `The request's time is more than ${TOLERANCE_SECONDS} s from now.`);
  const expected = keys.map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest());
  const given = signatures.map((one) => Buffer.from(one.slice("v1,".length), "base64"));
  if (given.some((one) => expected.some((other) => one.length === other.length && timingSafeEqual(one, other)))) return;
  throw new ClientError("bad_signature", "The request's signature does not fit its content and the secret.");
}

function keyOf(secret: string): Buffer {
  return secret.startsWith("whsec_")
    ? Buffer.from(secret.slice("whsec_".length), "base64")
    : Buffer.from(secret, "utf8");
}
