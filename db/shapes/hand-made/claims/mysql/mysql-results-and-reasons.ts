import { stated } from "../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../claimed-table.ts";

const EVENT =
  "id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(50) NOT NULL, payload json NOT NULL, created_at datetime NOT NULL DEFAULT CURRENT_TIMESTAMP";
const ROLES = "id=id order?=id eventType=event_type payload=payload createdAt=created_at";

function team(name: string, columns: string, names: string, rows: readonly string[]) {
  const values = rows.map((row) => `('a','{}',${row})`).join(",");
  return {
    ddl: `CREATE TABLE ${name} (${EVENT}, ${columns})`,
    insert: `INSERT INTO ${name} (event_type,payload,${names}) VALUES ${values}`,
  };
}

function outbox({ ddl, insert }: ReturnType<typeof team>, roles: string, states: string, claims: string): ClaimedTable {
  return claimed(stated(ddl, `${ROLES} ${roles}`, insert, states), claims);
}

/** How an attempt ended, what asks for one more, who holds a row and why it is not sent, in MySQL. */
export const CLAIMED_MYSQL_RESULTS_AND_REASONS: readonly ClaimedTable[] = [
  outbox(
    team("audit_outbox", "processed_at datetime NULL, success tinyint(1) NOT NULL DEFAULT 0", "processed_at,success", [
      "NULL,0",
      "'2026-01-01',1",
      "'2026-01-01',0",
    ]),
    "publishedAt=processed_at",
    "1 pending, 2 published, 3 failed|dead",
    "SELECT id FROM audit_outbox WHERE processed_at IS NULL",
  ),
  outbox(
    team(
      "erp_outbox",
      "status varchar(10) NOT NULL DEFAULT 'NEW', success tinyint(1) NOT NULL DEFAULT 0",
      "status,success",
      ["'NEW',0", "'DONE',1", "'DONE',0"],
    ),
    "status=status",
    "1 pending, 2 published, 3 failed|dead|unknown",
    "SELECT id FROM erp_outbox WHERE status = 'NEW'",
  ),
  outbox(
    team("invoice_outbox", "published_at datetime NULL, resend tinyint(1) NOT NULL DEFAULT 0", "published_at,resend", [
      "NULL,0",
      "'2026-01-01',0",
      "'2026-01-01',1",
    ]),
    "publishedAt=published_at",
    "1 pending, 2 published, 3 pending|unknown",
    "SELECT id FROM invoice_outbox WHERE published_at IS NULL OR resend",
  ),
  outbox(
    team(
      "search_outbox",
      "status varchar(10) NOT NULL DEFAULT 'NEW', replay_requested_at datetime NULL",
      "status,replay_requested_at",
      ["'NEW',NULL", "'SENT',NULL", "'SENT','2026-01-01'"],
    ),
    "status=status",
    "1 pending, 2 published, 3 pending|unknown",
    "SELECT id FROM search_outbox WHERE status = 'NEW' OR replay_requested_at IS NOT NULL",
  ),
  outbox(
    team("news_outbox", "sent tinyint(1) NOT NULL DEFAULT 0, reject_reason varchar(200) NULL", "sent,reject_reason", [
      "0,NULL",
      "1,NULL",
      "0,'x'",
    ]),
    "publishedAt=sent",
    "1 pending, 2 published, 3 unknown|dead|failed",
    "SELECT id FROM news_outbox WHERE sent = 0 AND reject_reason IS NULL",
  ),
  outbox(
    team("offer_outbox", "sent_at datetime NULL, discard_after datetime NOT NULL", "sent_at,discard_after", [
      "NULL,'2099-01-01'",
      "'2026-01-01','2099-01-01'",
      "NULL,'2020-01-01'",
    ]),
    "publishedAt=sent_at expiresAt?=discard_after",
    "1 pending, 2 published, 3 unknown|dead|expired",
    "SELECT id FROM offer_outbox WHERE sent_at IS NULL AND discard_after > {now}",
  ),
  outbox(
    team("lager_ausgang_outbox", "versendet_am datetime NULL, gesperrt_am datetime NULL", "versendet_am,gesperrt_am", [
      "NULL,NULL",
      "'2026-01-01',NULL",
      "NULL,'2026-01-01'",
    ]),
    "publishedAt=versendet_am",
    "1 pending, 2 published, 3 unknown",
    "SELECT id FROM lager_ausgang_outbox WHERE versendet_am IS NULL AND gesperrt_am IS NULL",
  ),
  outbox(
    team("device_outbox", "sent_at datetime NULL, locked_by int NOT NULL DEFAULT 0", "sent_at,locked_by", [
      "NULL,0",
      "'2026-01-01',0",
      "NULL,9",
    ]),
    "publishedAt=sent_at",
    "1 pending, 2 published, 3 in_flight",
    "SELECT id FROM device_outbox WHERE sent_at IS NULL AND locked_by = 0",
  ),
  outbox(
    team("campaign_outbox", "sent_at datetime NULL, mode enum('live','dry') NOT NULL DEFAULT 'live'", "sent_at,mode", [
      "NULL,'live'",
      "'2026-01-01','live'",
      "NULL,'dry'",
    ]),
    "publishedAt=sent_at",
    "1 pending, 2 published, 3 unknown",
    "SELECT id FROM campaign_outbox WHERE sent_at IS NULL AND mode = 'live'",
  ),
];
