import type { Pool } from "pg";
import { pg } from "../adapters/pg.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { contractEvents } from "./contract-events.ts";

/** The recommended layouts, as outbox and inbox. */
export const POSTGRES_TABLES = [
  createOutbox(contractEvents, { via: pg() }).schema(),
  createInbox(contractEvents, { via: pg(), consumer: "contract" }).schema(),
].join("");

export const createTables = (pool: Pool): Promise<unknown> => pool.query(POSTGRES_TABLES);
