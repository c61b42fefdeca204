import { awaitAdd } from "./await-add.ts";
import type { Rule } from "./eslint-types.ts";
import { noPublishInTransaction } from "./no-publish-in-transaction.ts";
import { noRootHandle } from "./no-root-handle.ts";

export type { Rule } from "./eslint-types.ts";
export { DEFAULT_SETTINGS, type LintSettings } from "./settings.ts";

/**
 * A rule as a configuration takes it: its context and its visitor have types of ESLint, which this package does not
 * need.
 */
interface PluginRule extends Pick<Rule, "meta"> {
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  create(context: any): any;
}

const rules: Record<string, PluginRule> = {
  "await-add": awaitAdd,
  "no-publish-in-transaction": noPublishInTransaction,
  "no-root-handle": noRootHandle,
};

const plugin = { meta: { name: "@outbox-console/client/lint" }, rules };

/** An ESLint plugin. `lint.configs.recommended` is an entry of a flat configuration with all rules. */
const lint = {
  ...plugin,
  configs: {
    recommended: {
      name: "@outbox-console/client/recommended",
      plugins: { outbox: plugin },
      rules: Object.fromEntries(Object.keys(rules).map((name) => [`outbox/${name}`, "error" as const])),
    },
  },
};

export default lint;
