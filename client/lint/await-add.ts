import { matches, nameOfCall } from "./call-names.ts";
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

/** Whether nothing takes the value, also at the end of `.then(…)` or of a condition. */
function isDropped(node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  if (parent.type === "ExpressionStatement") return true;
  const operator = (parent as Node & { operator?: string }).operator;
  if (parent.type === "UnaryExpression") return operator === "void";
  const test = (parent as Node & { test?: Node }).test;
  const goesOn =
    ["MemberExpression", "ChainExpression", "LogicalExpression"].includes(parent.type) ||
    (parent.type === "ConditionalExpression" && test !== node) ||
    (parent.type === "CallExpression" && (parent as Call).callee === node);
  return goesOn && isDropped(parent);
}
