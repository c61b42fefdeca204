import { z } from "zod";
import { slotName } from "./value-schemas.ts";

/** Where Kafka Connect answers. The address has no password, so it may be shown; `authorization` may not. */
interface ConnectEndpoint {
  /** Ends with a slash. */
  address: string;
  /** Value of the header; null without a user in the URL. */
  authorization: string | null;
}

const connectUrl = z.string().transform((text, context): ConnectEndpoint => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const problem = url === null ? "must be an http:// or https:// URL" : problemOf(url);
  if (url === null || problem !== null) {
    context.addIssue({ code: "custom", message: problem ?? "" });
    return z.NEVER;
  }
  const address = `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
  return { address, authorization: authorizationOf(url) };
});

function problemOf(url: URL): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") return "must be an http:// or https:// URL";
  if (url.search !== "" || url.hash !== "") return "must have no query and no fragment";
  try {
    authorizationOf(url);
    return null;
  } catch {
    // decodeURIComponent throws URIError for a percent sign that is no escape.
    return "has a user or a password with a % that is not an escape: write it as %25";
  }
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** An outbox that a connector of Debezium publishes. */
export const debeziumSchema = z.strictObject({
  source: z.literal("debezium"),
  /** The REST address of Kafka Connect; a user and a password may stand in it. */
  connect: connectUrl,
  connector: z.string().min(1).max(200),
  /** Default: the connector's own configuration. */
  slot: slotName.optional(),
  /** Slots whose readers also get the table's rows, and do not publish them. */
  otherReaders: z.array(slotName).max(20).default([]),
});

export type DebeziumConfig = z.output<typeof debeziumSchema>;
