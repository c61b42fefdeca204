import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { CompareOrder } from "../../port/relay/outgoing-message.ts";

const NUMBERS = ["N", "number", "seconds", "milliseconds"];

/** Compares positions as DynamoDB orders sort keys: numbers by value, texts by their bytes. */
export function orderComparison(mapping: OutboxMapping): CompareOrder {
  const first = comparison(orderColumn(mapping).type);
  const second = comparison(mapping.columns.id.type);
  return (left, right) => first(left[0], right[0]) || second(left[1], right[1]);
}

function comparison(type: string): (left: string, right: string) => number {
  return NUMBERS.includes(type) ? compareNumbers : compareBytes;
}

const WHOLE = /^-?\d+$/;

function compareNumbers(left: string, right: string): number {
  if (left === right) return 0;
  if (WHOLE.test(left) && WHOLE.test(right)) return BigInt(left) < BigInt(right) ? -1 : 1;
  return Number(left) - Number(right) || compareBytes(left, right);
}

const ASCII = /^[\0-\x7f]*$/;

function compareBytes(left: string, right: string): number {
  if (left === right) return 0;
  if (ASCII.test(left) && ASCII.test(right)) return left < right ? -1 : 1;
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
