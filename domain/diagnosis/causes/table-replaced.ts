import { ourCommand } from "#domain/our-command.ts";
import type { Rule } from "../cause.ts";
import { evidenceOf, formatMessages, pagePath, verb } from "../phrases.ts";

export const tableReplaced: Rule = {
  rule: "table_replaced",
  title: "Messages left in an earlier table",
  definition:
    "Another table has taken the name of the outbox's table, and the earlier one still holds messages that were not sent. Nobody publishes them.",
  threshold: () => "any message",
  needs: ["replaced"],
  evaluate: ({ settings, facts }) => {
    const { replaced } = facts;
    if (!replaced || replaced.messages === 0) return [];
    const { table, earlier, messages: count, capped, maybePublished } = replaced;
    const isCertain = count !== null && !maybePublished;
    const was = `was this outbox's table until another table took its name`;
    const messages = count === null ? "" : formatMessages(count, capped);
    return [
      {
        key: `table ${earlier}`,
        word: isCertain ? "in_part" : "unknown",
        severity: isCertain ? "fail" : "warn",
        title: "Messages left in an earlier table",
        subject: earlier,
        what:
          count === null
            ? `${earlier} ${was}, and whether messages wait in it is not known`
            : `${messages} ${verb(count, "waits", "wait")} in ${earlier}, which ${was}`,
        saysSince: false,
        clauses: [
          count !== null && maybePublished
            ? `${table} does not hold ${verb(count, "it", "them")}, and whether ${verb(count, "it was", "they were")} published and deleted is not known`
            : null,
        ],
        diagnosis: `RENAME TABLE, gh-ost and pt-online-schema-change replace a table in this way. The relay reads ${table} only, so what was not copied there is not published.`,
        nextStep: `Copy the rows that wait in ${earlier} into ${table}, each aggregate's in their order, if consumers still need them: later messages of their aggregates may be published already. Then drop or empty ${earlier}. If nobody needs them, \`${ourCommand("migrate")} -- --accept-mapping ${settings.outbox}\` ends this too.`,
        next: { label: "See the table", path: pagePath("storage", settings.outbox) },
        messages: count,
        messagesCapped: capped,
        aggregates: null,
        since: null,
        evidence: evidenceOf({ Table: table, "Earlier table": earlier, Messages: messages || null }),
      },
    ];
  },
};
