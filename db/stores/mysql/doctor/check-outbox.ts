import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OutboxStore } from "../../port/store.ts";
import type { StorePools } from "../connection/store-pools.ts";
import { asking } from "../connection/to-store-error.ts";
import { withSession } from "../connection/transaction.ts";
import { checkAppendOnly } from "./check-append-only.ts";
import { checkEngine } from "./check-engine.ts";
import { checkGrants } from "./check-grants.ts";
import { checkOutboxStream } from "./check-outbox-stream.ts";

/** Checks permissions, and that the table keeps its rows as a relay needs it; with `stream`, also the binary log. */
export async function checkOutbox(
  { pools, ref }: { pools: StorePools; ref: OutboxRef },
  { mode, stream }: Parameters<OutboxStore["doctor"]>[0],
): Promise<DoctorFinding[]> {
  // In a session that refuses to write, the server explains no statement that writes.
  const pool = mode === "observe" ? pools.reads() : pools.writes();
  return asking(`outbox ${ref.name}`, () =>
    withSession(pool, async (session) => [
      ...(await checkGrants(session, ref, mode)),
      ...(await checkEngine(session, ref, mode)),
      ...(stream ? await checkOutboxStream(session, ref, stream) : []),
      ...(ref.storeSide && mode !== "observe" ? [await checkAppendOnly(session, ref.name)] : []),
    ]),
  );
}
