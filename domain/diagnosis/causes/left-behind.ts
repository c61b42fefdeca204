import { ourCommand } from "#domain/text/our-command.ts";
import type { Rule } from "../cause.ts";
import type { LeftBehind } from "../facts/table.ts";
import { evidenceOf, formatMessages, pagePath, verb } from "../phrases.ts";

export const leftBehind: Rule = {
  rule: "left_behind",
  title: "Messages left behind",
  definition:
    "Another table has taken the name of the outbox's table, or a partition was detached, and what was left there has messages that were not sent. Nobody publishes them.",
  threshold: () => "any message",
  needs: ["leftBehind"],
  evaluate: ({ settings, facts }) => {
    const { leftBehind: left } = facts;
    if (!left || left.messages === 0) return [];
    const { how, table, earlier, messages: count, capped, maybePublished } = left;
    const isCertain = count !== null && !maybePublished;
    const was = WAS[how];
    const messages = count === null ? "" : formatMessages(count, capped);
    return [
      {
        key: `table ${earlier}`,
        word: isCertain ? "in_part" : "unknown",
        severity: isCertain ? "fail" : "warn",
        title: "Messages left behind",
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
        diagnosis: `${DONE_BY[how]} The relay reads only ${table}, so messages left in ${earlier} are not published.`,
        nextStep: repairOf(left, settings.outbox),
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

const WAS = {
  renamed: "was this outbox's table until another table took its name",
  detached: "was a partition of this outbox's table until it was detached",
};

const DONE_BY = {
  renamed: "RENAME TABLE, ALTER TABLE … RENAME, gh-ost and pt-online-schema-change replace a table in this way.",
  detached: "pg_partman and ALTER TABLE … DETACH PARTITION leave a partition as a table of its own.",
};

function repairOf({ how, table, earlier, messages }: LeftBehind, outbox: string): string {
  const late = "later messages of their aggregates may be published already";
  const look =
    messages === null
      ? `Before you drop anything, check whether messages wait in ${earlier}. The console cannot count them: it may lack SELECT on that table, or the table has other columns or no index of waiting messages. `
      : "";
  const neither = `If nobody needs them, run \`${ourCommand("migrate", `--accept-mapping ${outbox}`)}\`: that also closes this finding.`;
  return how === "detached"
    ? `${look}Attach ${earlier} to ${table} again (ALTER TABLE … ATTACH PARTITION) if consumers still need these messages: ${late}. Otherwise drop or empty ${earlier}. ${neither}`
    : `${look}Copy the rows that wait in ${earlier} into ${table}, each aggregate's in their order, if consumers still need them: ${late}. Then drop or empty ${earlier}. ${neither}`;
}
