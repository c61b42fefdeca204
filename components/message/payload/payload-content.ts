import type { MessageDetail } from "#contracts/message/messages.ts";
import type { DecodedPayload } from "#contracts/message/payloads.ts";
import { DecodedNode, type PayloadValue, readPayload } from "./payload-tree.ts";
import { bytesOfBase64 } from "./stored-bytes.ts";

type Payload = NonNullable<MessageDetail["payload"]>;

/** What the decoded view shows. */
export type PayloadContent =
  | { kind: "tree"; value: PayloadValue }
  | { kind: "text"; text: string }
  /** The first of `total` bytes of content whose format is not known. */
  | { kind: "bytes"; bytes: Uint8Array; total: number };

export interface ContentShown {
  /** Undefined where the stored form is all there is to show. */
  content?: PayloadContent;
  notice?: string;
}

const NO_TREE = "The JSON has a key twice or nests too deeply for a tree, so it is shown as text.";

/** Until the server has decoded a payload, JSON is shown as it is stored. */
export function contentOf(payload: Payload, decoded: DecodedPayload | null | undefined): ContentShown {
  if (!decoded) {
    const parsed = payload.format === "json" ? readPayload(payload.text) : undefined;
    return parsed ? { content: { kind: "tree", value: parsed.value } } : {};
  }
  const { body } = decoded;
  if (body.kind === "fields") return { content: { kind: "tree", value: new DecodedNode(body.root) } };
  if (body.kind === "unknown")
    return body.head === null
      ? {}
      : { content: { kind: "bytes", bytes: bytesOfBase64(body.head), total: decoded.bytes } };
  if (body.kind === "json") {
    const parsed = readPayload(body.text);
    if (parsed) return { content: { kind: "tree", value: parsed.value } };
    return body.text === payload.text
      ? { notice: NO_TREE }
      : { content: { kind: "text", text: body.text }, notice: NO_TREE };
  }
  return body.kind === "text" && body.text !== payload.text ? { content: { kind: "text", text: body.text } } : {};
}
