import type { Masking, MessageDetail } from "#contracts/message/messages.ts";
import type { MaskRules } from "#domain/masking/mask-rules.ts";
import { maskFreeText } from "#domain/masking/patterns.ts";
import { maskNamed } from "./mask-decoded.ts";
import { maskError, maskRow } from "./mask-rows.ts";
import { type MaskedContent, maskStoredText } from "./mask-stored.ts";
import type { Masker } from "./masker.ts";

type Payload = MessageDetail["payload"];
type Shown = Masking["payload"];

/**
 * A message as it may be shown. A value that is masked in its payload or headers is masked in its errors and columns
 * too. `noReveal`: why this person may not see the rest.
 */
export function maskMessage(detail: MessageDetail, masker: Masker, noReveal: string | null): MessageDetail {
  const { eventType } = detail.message;
  const neighbours = detail.neighbours.map((row) => maskRow(masker, row));
  const rules = masker.rules(eventType);
  if (rules === null) return { ...detail, neighbours };
  const payload = part(detail.payload, rules);
  const headers = part(detail.headers, rules);
  const values = [...payload.values, ...headers.values];
  const error = <Text extends string | null>(text: Text) => maskError(masker, { eventType, text, values });
  return {
    ...detail,
    message: { ...detail.message, lastError: error(detail.message.lastError) },
    payload: payload.payload,
    headers: headers.payload,
    masking: {
      payload: payload.shown,
      headers: headers.shown,
      values: payload.count + headers.count,
      reasons: [...new Set([payload.reason, headers.reason].flatMap((reason) => reason ?? []))],
      noReveal,
    },
    columns: detail.columns.map(({ name, value }) => ({
      name,
      value: value === null ? null : maskFreeText(maskNamed(name, value, rules), ONLY_VALUES, values).text,
    })),
    attempts: detail.attempts.map((attempt) => ({ ...attempt, error: error(attempt.error) })),
    firstError: error(detail.firstError),
    neighbours: neighbours.map((row) =>
      row.id === detail.message.id ? { ...row, lastError: error(row.lastError) } : row,
    ),
  };
}

const ONLY_VALUES: MaskRules = {
  ...{ paths: [], patterns: [], maskedByDefault: false, shown: [], hidden: null, hidesErrors: false },
};

interface Part {
  payload: Payload;
  shown: Shown;
  count: number;
  values: string[];
  reason: string | null;
}

function part(payload: Payload, rules: MaskRules): Part {
  const whole = { payload, shown: "whole", count: 0, values: [], reason: null } as const;
  if (payload === null) return { ...whole, values: [] };
  const masked: MaskedContent = maskStoredText(payload, rules);
  if ("hidden" in masked) {
    const hidden = { ...payload, text: "", shownBytes: 0, truncated: false };
    return { ...whole, payload: hidden, shown: "hidden", values: [], reason: masked.hidden };
  }
  const { text, count, values } = masked;
  return { payload: { ...payload, text }, shown: count > 0 ? "masked" : "whole", count, values, reason: null };
}
