import type { DecodedPayload, PayloadBody, PayloadNode } from "#contracts/message/payloads.ts";
import { isAt, MASK, type MaskRules, needsStructure } from "#domain/masking/mask-rules.ts";
import { maskFreeText } from "#domain/masking/patterns.ts";
import { maskContent } from "./mask-stored.ts";

type Place = readonly (string | number)[];

/**
 * A decoded payload as it may be shown; its notices name what is hidden and count the masked values. `cut`: only the
 * beginning of what is stored was decoded.
 */
export function maskDecoded(decoded: DecodedPayload, rules: MaskRules, cut = false): DecodedPayload {
  if (rules.hidden !== null) return hide(decoded, rules.hidden);
  const body = maskBody(decoded.body, rules, cut);
  if ("hidden" in body) return hide(decoded, body.hidden);
  return {
    ...decoded,
    envelopes: decoded.envelopes.map(({ name, facts }) => ({
      name,
      facts: facts.map((fact) => ({ ...fact, value: maskNamed(fact.name, fact.value, rules) })),
    })),
    body: body.body,
    references: decoded.references.map(({ place, address }) => ({ place, address: maskNamed("", address, rules) })),
    notices: decoded.notices.map((notice) => maskFreeText(notice, rules).text),
    remarks: decoded.remarks.map((remark) => maskFreeText(remark, rules).text),
  };
}

function hide(decoded: DecodedPayload, why: string): DecodedPayload {
  const { chain, bytes } = decoded;
  const body = { kind: "unknown", head: null } as const;
  return { chain, bytes, envelopes: [], body, references: [], notices: [why], remarks: [] };
}

/** The value of a fact or a column. */
export function maskNamed(name: string, value: string, rules: MaskRules): string {
  const place = name === "" ? [] : name.split(".");
  const shown = isAt(place, rules.shown);
  if (isAt(place, rules.paths) || (rules.maskedByDefault && !shown)) return MASK;
  const within = shown ? { ...rules, maskedByDefault: false } : rules;
  const masked = /^\s*[{["]/.test(value) ? maskContent(value, within, false) : maskFreeText(value, within);
  return "hidden" in masked ? MASK : masked.text;
}

const UNREAD = "The content is hidden: its format is not known, so the values to mask cannot be found in it.";

function maskBody(body: PayloadBody, rules: MaskRules, cut: boolean): { body: PayloadBody } | { hidden: string } {
  if (body.kind === "unknown") return body.head === null ? { body } : { hidden: UNREAD };
  if (body.kind === "fields") return { body: { kind: "fields", root: new NodeMask(rules).mask(body.root, [], OPEN) } };
  const masked = maskContent(body.text, rules, cut);
  return "hidden" in masked ? masked : { body: { ...body, text: masked.text } };
}

interface Within {
  covered: boolean;
  shown: boolean;
  /** A member with a name is around it; the numbers of Protobuf's fields are none. */
  named: boolean;
}
const OPEN: Within = { covered: false, shown: false, named: false };

class NodeMask {
  readonly #rules: MaskRules;

  constructor(rules: MaskRules) {
    this.#rules = rules;
  }

  mask(node: PayloadNode, place: Place, outside: Within): PayloadNode {
    const within = {
      covered: outside.covered || isAt(place, this.#rules.paths),
      shown: outside.shown || isAt(place, this.#rules.shown),
      named: outside.named || /\D/.test(String(place.at(-1) ?? "")),
    };
    if (node.kind === "object")
      return {
        ...node,
        entries: node.entries.map(({ key, value }) => ({
          key: maskFreeText(key, { ...this.#rules, paths: [] }).text,
          value: this.mask(value, [...place, key], within),
        })),
      };
    if (node.kind === "list")
      return { ...node, items: node.items.map((item, index) => this.mask(item, [...place, index], within)) };
    return this.#leaf(node, within);
  }

  #leaf(node: Extract<PayloadNode, { kind: "scalar" | "string" | "bytes" }>, within: Within): PayloadNode {
    if (node.kind === "scalar" && node.text === "null") return node;
    const { covered, shown, named } = within;
    // Without names, as in Protobuf, no path can say which value it is.
    const hides = covered || (this.#rules.maskedByDefault && !shown) || (this.#rules.paths.length > 0 && !named);
    if (hides || (node.kind === "bytes" && needsStructure(this.#rules))) return { kind: "string", text: MASK };
    if (node.kind === "bytes") return this.#bytes(node);
    const rules = shown ? { ...this.#rules, maskedByDefault: false } : this.#rules;
    const masked = /^\s*[{["]/.test(node.text) ? maskContent(node.text, rules, false) : maskFreeText(node.text, rules);
    return { ...node, text: "hidden" in masked ? MASK : masked.text };
  }

  /** Masks bytes in which a pattern finds a value, because their hex would show it. */
  #bytes(node: Extract<PayloadNode, { kind: "bytes" }>): PayloadNode {
    const text = Buffer.from(node.hex.replace(/\s+/g, ""), "hex").toString("latin1");
    return maskFreeText(text, this.#rules).count > 0 ? { kind: "string", text: MASK } : node;
  }
}
