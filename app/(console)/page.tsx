import type { Metadata } from "next";
import { Overview } from "#components/overview/overview.tsx";
import { listOutboxes } from "#services/outboxes/list-outboxes.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import type { Runtime } from "#services/runtime.ts";
import { addressParam, type SearchParams } from "./address.ts";
import { readFirst } from "./read-first.ts";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage({ searchParams }: { searchParams: SearchParams }) {
  const asked = await addressParam(searchParams, "outbox");
  const first = await readFirst(async (runtime) => {
    const outbox = asked ?? (await onlyOutbox(runtime));
    return outbox === undefined ? undefined : takeSnapshot({ runtime, outbox });
  });
  return <Overview first={first} />;
}

/** With several outboxes the page needs only the list, which the layout reads. */
async function onlyOutbox(runtime: Runtime): Promise<string | undefined> {
  const { outboxes } = await listOutboxes({ runtime });
  return outboxes.length === 1 ? outboxes[0]?.name : undefined;
}
