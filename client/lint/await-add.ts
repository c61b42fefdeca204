import { isCall, matches, nameOfCall } from "./call-names.ts";
import { isFunction } from "./enclosing-transaction.ts";
import type { Call, Node, Rule } from "./eslint-types.ts";
import { methodsOf, settingsOf } from "./settings.ts";

export const awaitAdd: Rule = {
  meta: {
    type: "problem",
    docs: { description: "await what the outbox and the inbox return" },
    schema: [],
    messages: {
      floating:
        "{{name}} is not awaited: the transaction may commit before it has ended, and its failure rolls nothing back.",
    },
  },
  create: (context) => {
    const { outboxes, inboxes } = settingsOf(context);
    const promises = [...methodsOf(outboxes, "add", "cancel"), ...methodsOf(inboxes, "once", "onceIn")];
    return {
      CallExpression: (node: Call) => {
        const name = nameOfCall(node);
        if (matches(name, promises) && isDropped(node)) context.report({ node, messageId: "floating", data: { name } });
      },
    };
  },
};

/**
 * Whether nothing takes the value, also at the end of `.then(…)`, of a condition, or of a function whose result nothing
 * takes.
 */
function isDropped(node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  if (parent.type === "ExpressionStatement") return true;
  const operator = (parent as Node & { operator?: string }).operator;
  if (parent.type === "UnaryExpression") return operator === "void";
  if (isFunction(parent) || ["AwaitExpression", "ReturnStatement"].includes(parent.type))
    return isResultDropped(parent);
  const test = (parent as Node & { test?: Node }).test;
  const goesOn =
    ["MemberExpression", "ChainExpression", "LogicalExpression"].includes(parent.type) ||
    (parent.type === "ConditionalExpression" && test !== node) ||
    (parent.type === "CallExpression" && (parent as Call).callee === node);
  return goesOn && isDropped(parent);
}

const DROPS_RESULTS = ["*.forEach", "setTimeout", "setInterval", "setImmediate", "queueMicrotask"];
const LISTS_RESULTS = ["*.map", "*.flatMap"];

/** Whether the caller of the innermost function around a node drops its result, or collects it into an unused list. */
function isResultDropped(node: Node): boolean {
  let callback: Node | null | undefined = node;
  while (callback && !isFunction(callback) && callback.type !== "FunctionDeclaration") callback = callback.parent;
  const call = callback?.parent;
  if (!callback || !call || !isCall(call) || call.arguments[0] !== callback) return false;
  const name = nameOfCall(call);
  if (matches(name, DROPS_RESULTS)) return true;
  // Awaiting a list does not wait for its elements.
  return matches(name, LISTS_RESULTS) && (isDropped(call) || call.parent?.type === "AwaitExpression");
}
