import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OutboxStore } from "../../port/store.ts";
import type { StorePools } from "../connection/store-pools.ts";
import { asking } from "../connection/to-store-error.ts";
import { withSession } from "../connection/transaction.ts";
import { checkEngine } from "./check-engine.ts";
import { checkGrants } from "./check-grants.ts";

/** Checks permissions, and that the table keeps its rows as a relay needs it. The log of this store is not read yet. */
export async function checkOutbox(
  { pools, ref }: { pools: StorePools; ref: OutboxRef },
  { mode, stream }: Parameters<OutboxStore["doctor"]>[0],
): Promise<DoctorFinding[]> {
  // In a session that refuses to write, the server explains no statement that writes.
  const pool = mode === "observe" ? pools.reads() : pools.writes();
  const checked = await asking(`outbox ${ref.name}`, () =>
    withSession(pool, async (session) => [
      ...(await checkGrants(session, ref, mode)),
      ...(await checkEngine(session, ref, mode)),
    ]),
  );
  if (!stream) return checked;
  const text = `outbox ${ref.name}: the log of MySQL and MariaDB is not read yet`;
  return [...checked, { level: "bad", text, fix: "Let the relay poll the table." }];
}
