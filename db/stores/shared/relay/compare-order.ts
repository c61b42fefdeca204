import type { OutboxMapping } from "../../port/mapping.ts";
import type { OrderKey } from "../../port/relay/outgoing-message.ts";

/**
 * Compares two positions as the database orders them: whole numbers by value, other values as text, which is the order
 * of ISO times in one zone, uuids and equally long digit strings.
 */
export function compareOrder(left: OrderKey, right: OrderKey): number {
  return compareTexts(left[0], right[0]) || compareTexts(left[1], right[1]);
}

/**
 * Compares as the relay's statements order: by the order column alone where there is one, and otherwise by the creation time and
 * the id. Many rows may have one value of the order column, such as a version within each aggregate. None of them precedes
 * another, whatever their ids are: a read that begins at one of them finds all of them.
 */
export function orderComparison({ columns }: Pick<OutboxMapping, "columns">): typeof compareOrder {
  return columns.order === undefined ? compareOrder : (left, right) => compareTexts(left[0], right[0]);
}

const DIGITS = /^\d+$/;
const MINUS = 0x2d;

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  if (left.length !== right.length && DIGITS.test(left) && DIGITS.test(right)) return left.length - right.length;
  if (left.charCodeAt(0) === MINUS || right.charCodeAt(0) === MINUS) return compareSigned(left, right);
  return left < right ? -1 : 1;
}

function compareSigned(left: string, right: string): number {
  const [first, second] = [Number(left), Number(right)];
  return Number.isNaN(first) || Number.isNaN(second) || first === second ? (left < right ? -1 : 1) : first - second;
}
