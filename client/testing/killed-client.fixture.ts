/**
 * A producer or consumer that SIGKILLs itself at one statement of its transaction: `before` it is sent, or `after` it
 * was sent and before the answer. Arguments: url, add or once, the event's id, before or after, the statement's number
 * from 1.
 */
import pgDriver from "pg";
import { pg } from "../adapters/pg.ts";
import { createInbox } from "../inbox/create-inbox.ts";
import { createOutbox } from "../outbox/create-outbox.ts";
import { contractEvents, contractPayload } from "./contract-events.ts";
import { contractMessage } from "./inbox-contract.ts";

const [url, act, id = "", moment, number] = process.argv.slice(2);
let count = 0;

const original = pgDriver.Client.prototype.query;
pgDriver.Client.prototype.query = function query(this: pgDriver.Client, ...args: unknown[]) {
  count += 1;
  const isHere = count === Number(number);
  if (isHere && moment === "before") process.kill(process.pid, "SIGKILL");
  const result = original.apply(this, args as never) as unknown;
  // The statement has been written to the socket by then, and its answer not read.
  if (isHere) setImmediate(() => process.kill(process.pid, "SIGKILL"));
  return result as never;
};

const pool = new pgDriver.Pool({ connectionString: url ?? "" });
const via = pg();

if (act === "add") {
  const outbox = createOutbox(contractEvents, { via });
  await via.transaction(pool, async (tx) => {
    await tx.query("INSERT INTO business (id) VALUES ($1)", [id]);
    await outbox.add(tx, "contract.checked", contractPayload(id));
  });
} else {
  const inbox = createInbox(contractEvents, { via, consumer: "killed" });
  await inbox.once(pool, contractMessage(id), (tx) => tx.query("INSERT INTO business (id) VALUES ($1)", [id]));
}
await pool.end();
