import type { Metadata } from "next";
import { StuckPage } from "#components/stuck/stuck-page.tsx";
import { listFindings } from "#services/findings/list-findings.ts";
import { addressParam, chosenOutbox, type SearchParams } from "../address.ts";
import { readFirst } from "../read-first.ts";

export const metadata: Metadata = { title: "Stuck" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const asked = await addressParam(searchParams, "outbox");
  const first = await readFirst(async (runtime) => {
    const outbox = await chosenOutbox(runtime, asked);
    return outbox === undefined ? undefined : { outbox, list: await listFindings({ runtime, outbox }) };
  });
  return <StuckPage first={first} />;
}
