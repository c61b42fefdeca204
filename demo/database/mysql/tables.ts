const OPTIONS = "ENGINE = InnoDB CHARACTER SET utf8mb4";

/**
 * The shop's own tables, its outbox with the recommended indexes, and the consumers' inboxes with their effects, all in
 * one database. Times are in UTC. `orders` and `customers` have no column for `ord-48001` and `cus-4001`: a generated
 * column may not depend on AUTO_INCREMENT, so each statement derives these ids from the number.
 */
export const TABLES = [
  `CREATE TABLE IF NOT EXISTS customers (
    number bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    name varchar(200) NOT NULL,
    email varchar(200) NOT NULL,
    locale varchar(16) NOT NULL,
    registered_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)
  ) ${OPTIONS} AUTO_INCREMENT = 4001`,
  `CREATE TABLE IF NOT EXISTS orders (
    number bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
    customer_id varchar(64) NOT NULL,
    status varchar(16) NOT NULL,
    currency char(3) NOT NULL,
    total decimal(12, 2) NOT NULL,
    placed_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    updated_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    KEY orders_status_idx (status, updated_at)
  ) ${OPTIONS} AUTO_INCREMENT = 48001`,
  `CREATE TABLE IF NOT EXISTS order_lines (
    order_number bigint NOT NULL,
    line int NOT NULL,
    sku varchar(64) NOT NULL,
    title varchar(200) NOT NULL,
    quantity int NOT NULL,
    unit_price decimal(10, 2) NOT NULL,
    PRIMARY KEY (order_number, line),
    FOREIGN KEY (order_number) REFERENCES orders (number) ON DELETE CASCADE
  ) ${OPTIONS}`,
  // MySQL's JSON keeps a number with a fraction as a double: 12.10 becomes 12.1. MariaDB's is text and keeps it.
  `CREATE TABLE IF NOT EXISTS outbox_events (
    id char(36) NOT NULL PRIMARY KEY,
    sequence bigint NOT NULL AUTO_INCREMENT,
    aggregate_type varchar(255) NOT NULL,
    aggregate_id varchar(255) NOT NULL,
    event_type varchar(255) NOT NULL,
    payload json NOT NULL,
    headers json,
    created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    published_at datetime(6),
    UNIQUE KEY outbox_events_sequence_key (sequence),
    KEY outbox_events_pending_idx (published_at, sequence),
    KEY outbox_events_created_idx (created_at, id),
    KEY outbox_events_aggregate_idx (aggregate_id, created_at)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS loyalty_inbox (
    message_id char(36) NOT NULL PRIMARY KEY,
    event_type varchar(255) NOT NULL,
    received_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    processed_at datetime(6),
    KEY loyalty_inbox_received_idx (received_at, message_id)
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS loyalty_points (
    customer_id varchar(64) NOT NULL PRIMARY KEY,
    points bigint NOT NULL,
    updated_at datetime(6) NOT NULL
  ) ${OPTIONS}`,
  `CREATE TABLE IF NOT EXISTS analytics_processed_events (
    consumer varchar(64) NOT NULL,
    event_id char(36) NOT NULL,
    processed_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
    PRIMARY KEY (consumer, event_id),
    KEY analytics_processed_events_time_idx (processed_at, event_id)
  ) ${OPTIONS}`,
  // Sixteen buckets a day: one row would make every payment of the day wait for the one before.
  `CREATE TABLE IF NOT EXISTS analytics_daily_revenue (
    day date NOT NULL,
    currency char(3) NOT NULL,
    bucket smallint NOT NULL,
    payments bigint NOT NULL,
    revenue decimal(20, 2) NOT NULL,
    PRIMARY KEY (day, currency, bucket)
  ) ${OPTIONS}`,
];
