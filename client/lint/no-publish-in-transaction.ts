import { matches, nameOfCall } from "./call-names.ts";
import { enclosingTransaction } from "./enclosing-transaction.ts";
import type { Call, Rule } from "./eslint-types.ts";
import { settingsOf } from "./settings.ts";

export const noPublishInTransaction: Rule = {
  meta: {
    type: "problem",
    docs: { description: "no publishing to a broker inside a transaction" },
    schema: [],
    messages: {
      publish:
        "{{name}} publishes inside {{transaction}}: it stays published if the transaction rolls back. Add the event to the outbox.",
    },
  },
  create: (context) => {
    const settings = settingsOf(context);
    return {
      CallExpression: (node: Call) => {
        const name = nameOfCall(node);
        if (!matches(name, settings.publishers)) return;
        const transaction = enclosingTransaction(node, settings);
        if (transaction) context.report({ node, messageId: "publish", data: { name, transaction: transaction.name } });
      },
    };
  },
};
