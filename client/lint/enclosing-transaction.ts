import { bare, isCall, matches, memberOf, nameOfCall } from "./call-names.ts";
import type { Call, Fn, Named, Node } from "./eslint-types.ts";
import { type LintSettings, methodsOf } from "./settings.ts";

export interface EnclosingTransaction {
  callback: Fn;
  /** Name of the callback's first parameter; null if it has none, or takes it apart. */
  tx: string | null;
  /** The handle on which the transaction was begun; null if the call does not show it. */
  root: Node | null;
  /** The call as people know it: `db.transaction`. */
  name: string;
}

/** The innermost transaction in whose callback a node stands, in this file. */
export function enclosingTransaction(node: Node, settings: LintSettings): EnclosingTransaction | null {
  for (let inner = node, outer = node.parent; outer; inner = outer, outer = outer.parent) {
    if (!isCall(outer) || !isFunction(inner) || !outer.arguments.includes(inner)) continue;
    const name = nameOfCall(outer);
    if (matches(name, settings.afterCommit)) return null;
    const isWork = matches(name, methodsOf(settings.inboxes, "once", "onceIn"));
    if (!isWork && !matches(name, settings.transactions)) continue;
    const [first] = inner.params;
    const tx = first?.type === "Identifier" ? (first as Named).name : null;
    return { callback: inner, tx, root: isWork ? (outer.arguments[0] ?? null) : rootOf(outer), name };
  }
  return null;
}

export function isFunction(node: Node): node is Fn {
  return node.type === "ArrowFunctionExpression" || node.type === "FunctionExpression";
}

/** `db` of `db.transaction(…)` and of Kysely's `db.transaction().execute(…)`. */
function rootOf({ callee }: Call): Node | null {
  const receiver = memberOf(callee)?.object;
  if (!receiver) return null;
  const begun = bare(receiver);
  return isCall(begun) ? (memberOf(begun.callee)?.object ?? null) : begun;
}
