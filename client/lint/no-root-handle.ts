import { bare, matches, memberOf, nameOfCall } from "./call-names.ts";
import { type EnclosingTransaction, enclosingTransaction } from "./enclosing-transaction.ts";
import type { Call, Named, Node, Rule, RuleContext, Scope, Tagged } from "./eslint-types.ts";
import { methodsOf, settingsOf } from "./settings.ts";

export const noRootHandle: Rule = {
  meta: {
    type: "problem",
    docs: { description: "inside a transaction, its own handle and not the one that began it" },
    schema: [],
    messages: {
      handle:
        "{{handle}} is not the handle of {{transaction}}: the event would be written outside the transaction. Pass {{tx}}.",
      statement:
        "{{handle}} runs this outside {{transaction}}: it is not rolled back with it, and takes a connection of its own. Use {{tx}}.",
    },
  },
  create: (context) => {
    const settings = settingsOf(context);
    const takesTx = [...methodsOf(settings.outboxes, "add", "cancel"), ...methodsOf(settings.inboxes, "onceIn")];
    const textOf = (node: Node) => context.sourceCode.getText(bare(node));

    const checkUse = (node: Node, handle: Node) => {
      const transaction = enclosingTransaction(node, settings);
      if (!transaction?.root || transaction.tx === null || textOf(transaction.root) !== textOf(handle)) return;
      if (!isPartOfTx(node, transaction.tx, context)) report(context, "statement", handle, transaction);
    };
    return {
      CallExpression: (node: Call) => {
        const [handle] = node.arguments;
        if (handle && matches(nameOfCall(node), takesTx)) {
          const transaction = enclosingTransaction(node, settings);
          if (transaction && transaction.tx !== null && !isFromWithin(handle, transaction, context))
            report(context, "handle", handle, transaction);
          return;
        }
        const member = memberOf(node.callee);
        checkUse(node, member?.object ?? node.callee);
        if (member && MODEL_CALL.test(member.property.name))
          for (const root of aboveOf(member.object)) checkUse(node, root);
      },
      TaggedTemplateExpression: (node: Tagged) => checkUse(node, node.tag),
    };
  },
};

/**
 * Methods of a model of Prisma, `prisma.order.create`, and of Drizzle's `db.query.orders`: no logger or the like has
 * them.
 */
const MODEL_CALL =
  /^(?:(?:create|update|delete|find|upsert)(?:Many|First|Unique|One)?(?:AndReturn|OrThrow)?|aggregate|groupBy)$/;

/** `db.query` and `db` of `db.query.orders`; never `this`, whose other members are no models. */
function aboveOf(object: Node): Node[] {
  const member = memberOf(object);
  if (!member || bare(member.object).type === "ThisExpression") return [];
  return [member.object, ...aboveOf(member.object)];
}

function report(context: RuleContext, messageId: string, handle: Node, { name, tx }: EnclosingTransaction): void {
  const data = { handle: context.sourceCode.getText(handle), transaction: name, tx: tx ?? "" };
  context.report({ node: handle, messageId, data });
}

/** True if a handle comes from the callback: its parameter, or a value derived from it there. */
function isFromWithin(handle: Node, { callback }: EnclosingTransaction, { sourceCode }: RuleContext): boolean {
  let first = bare(handle);
  for (let member = memberOf(first); member; member = memberOf(first)) first = bare(member.object);
  if (first.type === "ThisExpression") return false;
  if (first.type !== "Identifier") return true;
  const { name } = first as Named;
  let scope: Scope | null = sourceCode.getScope(first);
  while (scope && !scope.set.has(name)) scope = scope.upper;
  const [[from, to], [begin, end]] = [callback.range ?? [0, 0], scope?.block.range ?? [-1, -1]];
  return scope !== null && begin >= from && end <= to;
}

/** True if a call names the transaction itself, or builds part of a statement that does. */
function isPartOfTx(node: Node, tx: string, context: RuleContext): boolean {
  const whole = wholeChain(node);
  const { parent } = whole;
  if (names(whole, tx, context)) return true;
  if (parent?.type === "TemplateLiteral" && parent.parent) return names(parent.parent, tx, context);
  return parent?.type === "CallExpression" && names((parent as Call).callee, tx, context);
}

/** The outermost call of a chain: knex names the transaction at its end, Sequelize in the options. */
function wholeChain(node: Node): Node {
  const { parent } = node;
  if (!parent) return node;
  const goesOn =
    parent.type === "MemberExpression" ||
    parent.type === "ChainExpression" ||
    (parent.type === "CallExpression" && (parent as Call).callee === node);
  return goesOn ? wholeChain(parent) : node;
}

function names(node: Node, name: string, context: RuleContext): boolean {
  if (node.type === "Identifier" && (node as Named).name === name) return true;
  return (context.sourceCode.visitorKeys[node.type] ?? []).some((key) =>
    [(node as unknown as Record<string, unknown>)[key]]
      .flat()
      .some((child) => child !== null && child !== undefined && names(child as Node, name, context)),
  );
}
