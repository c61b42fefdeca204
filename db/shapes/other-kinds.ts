import type { CatalogTable } from "../stores/port/catalog.ts";
import { plainName } from "./columns/plain-name.ts";
import { unaccented } from "./words/concepts.ts";
import { remember } from "./words/remember.ts";
import { otherKindInEnglish } from "./words/script-words.ts";

interface OtherKind {
  /** Completes "looks like …". */
  what: string;
  /** Its rows are messages to people or to their endpoints, which teams call outboxes too. */
  toPeople?: boolean;
  /** Words of the table's name, singular or plural; each counts two. */
  table: RegExp;
  /** Names of columns; each counts one. */
  columns: RegExp;
  /** Names of columns that nothing else has; each counts two. */
  sure?: RegExp;
}

const OTHER_KINDS: readonly OtherKind[] = [
  {
    what: "a table of e-mails or letters to people",
    toPeople: true,
    table: /\b(e?mails?|mailbox|mailboxes|mailer|newsletters?|correos?|courriels?|sms|letters)\b/,
    columns:
      /\b(subject|subject line|html|html body|body html|template|template name|template id|attachments?|reply to|sender|receiver|snippet|mailbox id|from email|mail from|mail to|msgtext|media url|mediaurl|from address|phone|phone number|msisdn|asunto|assunto|betreff)\b/,
    sure: /\b(recipients?|recipient email|recipient phone|recipient number|recipient address|recipient name|to address|to addresses|to phone|to number|to phone number|provider sid|message sid|to email|email to|mail to|cc|bcc|email address|destinatario|empfaenger|smtp \w+)\b/,
  },
  {
    what: "a table of push notifications",
    toPeople: true,
    table: /\b(push)\b/,
    columns: /\b(title|badge|sound|icon|deep link)\b/,
    sure: /\b(device token|device id|push token|fcm token|apns token|device tokens)\b/,
  },
  {
    what: "a chat, or notifications that a user reads",
    toPeople: true,
    table: /\b(chats?|conversations?|comments?)\b/,
    columns:
      /\b(user id|conversation id|room id|thread id|title|unread|author id|channel|account id|channel id|contact id|assigned to|assignee id|seen at|greeting message|last message at|snoozed until)\b/,
    sure: /\b(sender id|receiver id|chat id|read at|is read|reply to id)\b/,
  },
  {
    what: "a table of webhooks and their deliveries",
    toPeople: true,
    table: /\b(webhooks?|hooks?|callbacks?)\b/,
    columns:
      /\b(url|endpoint|endpoint id|endpoint url|subscription id|signature|http method|secret|provider|status code)\b/,
    sure: /\b(webhook id|webhook url|target url|callback url|response status|response code|response body|http status|response headers)\b/,
  },
  {
    what: "an audit log",
    table: /\b(audits?|auditing|auditoria|changelog|activity|activities)\b/,
    columns: /\b(actor|actor id|user id|ip|changes|performed by|changed by)\b/,
    sure: /\b(old values?|new values?|old data|new data|before state|after state|ip address|changed fields)\b/,
  },
  {
    what: "a table of analytics",
    table: /\b(analytics|tracking|telemetry|metrics|clicks?|page ?views?)\b/,
    columns: /\b(session id|user id|device id|country|page|properties)\b/,
    sure: /\b(anonymous id|user agent|page url|referrer|utm source|visitor id|distinct id)\b/,
  },
  {
    what: "a queue of jobs",
    table: /\b(jobs?|tasks?|workers?|trabajos?|tarefas?|schedules?)\b/,
    columns:
      /\b(priority|queue|queue name|max attempts|max retries|run at|locked at|worker|worker id|started at|result|progress|timeout)\b/,
    sure: /\b(job type|job class|job name|job id|task name|task id|args|arguments|kwargs|cron|cron expression|handler class)\b/,
  },
  {
    what: "a table of sessions",
    table: /\b(sessions?|sesiones|tokens?)\b/,
    columns: /\b(user id|ip address|user agent|refresh token|last activity)\b/,
    sure: /\b(session token|access token|refresh token)\b/,
  },
  {
    what: "a table of requests' idempotency keys",
    table: /\b(requests?)\b/,
    columns: /\b(user id|method|path|params|recovery point)\b/,
    sure: /\b(request method|request path|request hash|request params|request body|response code|response body|response status|status code|request fingerprint)\b/,
  },
  {
    what: "a calendar, or content that people read",
    table: /\b(calendar|posts?|articles?|pages?|news|templates?|preferences?|settings)\b/,
    columns: /\b(title|description|location|slug|author id|venue)\b/,
    sure: /\b(starts at|ends at|start time|end time|start date|end date)\b/,
  },
  {
    what: "a table of payments or orders",
    table: /\b(payments?|invoices?|orders|transfers?|refunds?)\b/,
    columns: /\b(amount|currency|total|price|customer id)\b/,
  },
];

export interface OtherKindFound {
  what: string;
  /** Two or more are enough for a table that is not called an outbox. */
  score: number;
  toPeople: boolean;
  byName: boolean;
  /** The part of the score that its columns make. */
  byColumns: number;
  columns: string[];
}

export const NOTHING_ELSE: OtherKindFound = {
  what: "nothing else",
  score: 0,
  toPeople: false,
  byName: false,
  byColumns: 0,
  columns: [],
};

/** What else the table's name and columns resemble most. */
export function otherKindOf(table: Pick<CatalogTable, "name" | "columns">): OtherKindFound {
  const name = spaced(table.name);
  const found = OTHER_KINDS.map(({ what, toPeople = false, table: names, columns, sure }) => {
    const certain = table.columns.filter((column) => sure !== undefined && whole(sure, plainName(table, column.name)));
    const likely = table.columns.filter(
      (column) => !certain.includes(column) && whole(columns, plainName(table, column.name)),
    );
    const byColumns = 2 * certain.length + likely.length;
    const byName = names.test(name);
    const score = byColumns + (byName ? 2 : 0);
    return { what, toPeople, byName, score, byColumns, columns: [...certain, ...likely].map((column) => column.name) };
  });
  return found.reduce((best, other) => (other.score > best.score ? other : best));
}

/** True if the pattern is the column's whole name. */
function whole(pattern: RegExp, name: string): boolean {
  return anchored(pattern).test(spaced(name));
}

const anchored = remember(
  (pattern: RegExp) => pattern.source,
  (pattern) => new RegExp(`^(?:${pattern.source})$`),
);

const spaced = remember((name: string) => name, separate);

function separate(name: string): string {
  return unaccented(otherKindInEnglish(name))
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, " ")
    .trim();
}
