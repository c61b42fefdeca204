import type { DecodedPayload, PayloadBody, PayloadNode } from "#contracts/message/payloads.ts";

/** Content of one layer. `json`: text that is known to be JSON; `node`: values that a reader found. */
export type Content =
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "text"; text: string }
  | { kind: "json"; text: string }
  | { kind: "node"; root: PayloadNode };

export type Fact = DecodedPayload["envelopes"][number]["facts"][number];
export type Reference = DecodedPayload["references"][number];

/** Result of recognising some content: a layer with `inner` content, or the format of the `body`. */
export type Layer = {
  /** As the chain shows it, from the outside in; empty for content that only changes its form. */
  name: string | string[];
  /** Set for an envelope. */
  facts?: Fact[];
  references?: Reference[];
  notices?: string[];
  remarks?: string[];
} & ({ inner: Content } | { body: PayloadBody | { kind: "unknown" } });

/** Thrown by readers for content that is not of their format. */
export class Unreadable extends Error {}

/** Thrown by readers for content that may be of their format, but nests too deeply to be shown. */
export class TooDeep extends Unreadable {}
