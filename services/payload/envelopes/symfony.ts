import type { PayloadNode } from "#contracts/message/payloads.ts";
import type { Fact, Layer } from "../layer.ts";

const ENVELOPE = "Symfony\\Component\\Messenger\\Envelope";

/** Symfony Messenger's envelope among PHP values: its stamps are facts, its message the content. */
export function readSymfony(root: PayloadNode): Layer | undefined {
  if (root.kind !== "object" || root.type !== ENVELOPE) return undefined;
  const message = entryOf(root, "message");
  if (message?.kind !== "object") return undefined;
  const stamps = entryOf(root, "stamps");
  return {
    name: "Symfony Messenger",
    facts: [...(message.type === null ? [] : [{ name: "type", value: message.type }]), ...factsOfStamps(stamps)],
    body: { kind: "fields", root: message },
  };
}

/** One fact for each plain property of a stamp; the name of a stamp that has none. */
function factsOfStamps(stamps: PayloadNode | undefined): Fact[] {
  if (stamps?.kind !== "object") return [];
  return stamps.entries.flatMap(({ value }) => itemsOf(value)).flatMap(factsOfStamp);
}

function factsOfStamp(stamp: PayloadNode): Fact[] {
  if (stamp.kind !== "object" || stamp.type === null) return [];
  const name = stamp.type.replace(/^.*\\/, "").replace(/Stamp$/, "");
  const plain = stamp.entries.flatMap(({ key, value }) =>
    (value.kind === "string" || value.kind === "scalar") && value.text !== "null" ? [{ key, text: value.text }] : [],
  );
  if (plain.length === 0) return [{ name, value: "yes" }];
  return plain.map(({ key, text }) => ({ name: plain.length === 1 ? name : `${name} ${key}`, value: text }));
}

const itemsOf = (node: PayloadNode): PayloadNode[] => {
  if (node.kind === "list") return node.items;
  return node.kind === "object" ? node.entries.map(({ value }) => value) : [];
};

function entryOf(node: Extract<PayloadNode, { kind: "object" }>, key: string): PayloadNode | undefined {
  return node.entries.find((entry) => entry.key === key)?.value;
}
