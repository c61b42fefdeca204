import type { Pool } from "pg";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OutboxStore } from "../../port/store.ts";
import { asking, toStoreError } from "../connection/to-store-error.ts";
import { checkGrants } from "./check-grants.ts";
import { checkOutboxStream } from "./check-outbox-stream.ts";

/** Checks permissions and the log of one outbox. If the log check fails, the permission findings are still returned. */
export async function checkOutbox(
  { pool, directUrl, ref }: { pool: Pool; directUrl: string; ref: OutboxRef },
  { mode, stream }: Parameters<OutboxStore["doctor"]>[0],
): Promise<DoctorFinding[]> {
  const of = `outbox ${ref.name}`;
  const granted = await asking(of, () => checkGrants(pool, ref, mode));
  if (!stream) return granted;
  try {
    return [...granted, ...(await checkOutboxStream(directUrl, ref, stream))];
  } catch (error) {
    return [...granted, { level: "bad", text: toStoreError(error, of).message }];
  }
}
