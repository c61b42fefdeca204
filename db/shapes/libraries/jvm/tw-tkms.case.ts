import type { LibraryCase } from "../library-case.fixture.ts";

export const twTkmsCase: LibraryCase = {
  slug: "tw-tkms",
  ddl: {
    postgres: `CREATE TABLE outgoing_message_0_0 (id bigserial PRIMARY KEY, message bytea NOT NULL);
      CREATE TABLE tw_tkms_earliest_visible_messages (shard bigint NOT NULL, part bigint NOT NULL, message_id bigint NOT NULL, PRIMARY KEY (shard, part))`,
    mysql: "CREATE TABLE outgoing_message_0_0 (id bigint AUTO_INCREMENT PRIMARY KEY, message mediumblob NOT NULL)",
  },
  table: "outgoing_message_0_0",
  beside: { tw_tkms_earliest_visible_messages: "tw-tkms-earliest" },
  rows: ["1", "2"].map((key) => ({
    key,
    state: "pending",
    insert: `INSERT INTO outgoing_message_0_0 VALUES (${key}, 'x')`,
  })),
  claims: "SELECT id FROM outgoing_message_0_0",
  refuses: { restore: /would not see this row behind it/ },
};
