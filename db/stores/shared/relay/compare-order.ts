import type { OutboxMapping } from "../../port/mapping.ts";
import type { CompareOrder, OrderKey } from "../../port/relay/outgoing-message.ts";

/**
 * Compares two positions as the database orders them: numbers by value, other values as text, which is the order of ISO
 * times in one zone and of uuids.
 */
export function compareOrder(left: OrderKey, right: OrderKey): number {
  return compareTexts(left[0], right[0]) || compareTexts(left[1], right[1]);
}

/**
 * Compares as the relay's statements order: by the order column alone where there is one, and otherwise by the creation
 * time and the id. Many rows may have one value of the order column, such as a version within each aggregate. None of
 * them precedes another, whatever their ids are: a read that begins at one of them finds all of them.
 */
export function orderComparison({ columns }: Pick<OutboxMapping, "columns">): CompareOrder {
  return columns.order === undefined ? compareOrder : (left, right) => compareTexts(left[0], right[0]);
}

const DIGITS = /^\d+$/;
const MINUS = 0x2d;
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?$/;

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (hasSignOrPoint(left) || hasSignOrPoint(right)) return compareNumbers(left, right) ?? compareAsText(left, right);
  const byLength = left.length !== right.length && DIGITS.test(left) && DIGITS.test(right);
  return byLength ? left.length - right.length : compareAsText(left, right);
}

const hasSignOrPoint = (text: string) => text.charCodeAt(0) === MINUS || text.includes(".");
const compareAsText = (left: string, right: string) => (left === right ? 0 : left < right ? -1 : 1);

/** Numbers with a sign or a fraction, however long they are; null if one of the texts is none. */
function compareNumbers(left: string, right: string): number | null {
  const [first, second] = [NUMBER.exec(left), NUMBER.exec(right)];
  if (!first || !second) return null;
  const isNegative = first[1] === "-";
  if (isNegative !== (second[1] === "-")) return isNegative ? -1 : 1;
  const larger = compareParts(first[2] ?? "", second[2] ?? "") || compareFractions(first[3] ?? "", second[3] ?? "");
  return isNegative ? -larger : larger;
}

/** Digits before the point, without leading zeros, as databases write them. */
function compareParts(left: string, right: string): number {
  return left.length - right.length || compareFractions(left, right);
}

/** Digits after the point: as text, less the zeros at the end. */
function compareFractions(left: string, right: string): number {
  const length = Math.max(left.length, right.length);
  const [first, second] = [left.padEnd(length, "0"), right.padEnd(length, "0")];
  return compareAsText(first, second);
}
