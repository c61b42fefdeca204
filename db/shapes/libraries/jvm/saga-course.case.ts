import type { LibraryCase } from "../library-case.fixture.ts";

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const insert = (number: number, status: string, processed: string) =>
  `INSERT INTO payment_outbox VALUES ('${id(number)}', '${id(9)}', '2026-01-01', ${processed}, 'OrderProcessingSaga', '{}', '${status}', 'STARTED', 'PENDING', 0)`;

export const sagaCourseCase: LibraryCase = {
  slug: "saga-course",
  ddl: {
    postgres: `CREATE TYPE outbox_status AS ENUM ('STARTED', 'COMPLETED', 'FAILED');
      CREATE TYPE saga_status AS ENUM ('STARTED', 'FAILED', 'SUCCEEDED', 'PROCESSING', 'COMPENSATING', 'COMPENSATED');
      CREATE TYPE order_status AS ENUM ('PENDING', 'PAID', 'APPROVED', 'CANCELLED', 'CANCELLING');
      CREATE TABLE payment_outbox (id uuid PRIMARY KEY, saga_id uuid NOT NULL, created_at timestamptz NOT NULL, processed_at timestamptz, type varchar NOT NULL,
        payload jsonb NOT NULL, outbox_status outbox_status NOT NULL, saga_status saga_status NOT NULL, order_status order_status NOT NULL, version integer NOT NULL)`,
  },
  table: "payment_outbox",
  rows: [
    { key: id(1), state: "pending", insert: insert(1, "STARTED", "NULL") },
    { key: id(2), state: "pending", insert: insert(2, "STARTED", "'2026-01-02'") },
    { key: id(3), state: "dead", insert: insert(3, "FAILED", "NULL") },
    { key: id(4), state: "published", insert: insert(4, "COMPLETED", "'2026-01-02'") },
  ],
  claims:
    "SELECT id FROM payment_outbox WHERE outbox_status = 'STARTED' AND type = 'OrderProcessingSaga' AND saga_status IN ('STARTED', 'COMPENSATING')",
};
