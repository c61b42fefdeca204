import type { Metadata } from "next";
import { chooseInbox } from "#components/inbox/choose-inbox.ts";
import { type FirstInboxes, InboxPage } from "#components/inbox/inbox-page.tsx";
import { listInboxes } from "#services/inboxes/list-inboxes.ts";
import { getReconciliation } from "#services/reconciliation/get-reconciliation.ts";
import type { Runtime } from "#services/runtime.ts";
import { addressParam, chosenOutbox, type SearchParams } from "../address.ts";
import { readFirst } from "../read-first.ts";

export const metadata: Metadata = { title: "Inbox" };

export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const inAddress = {
    outbox: await addressParam(searchParams, "outbox"),
    inbox: await addressParam(searchParams, "inbox"),
  };
  return <InboxPage first={await readFirst((runtime) => readInboxes(runtime, inAddress))} />;
}

async function readInboxes(
  runtime: Runtime,
  inAddress: { outbox: string | undefined; inbox: string | undefined },
): Promise<FirstInboxes> {
  const [outbox, list] = await Promise.all([chosenOutbox(runtime, inAddress.outbox), listInboxes({ runtime })]);
  const { current } = chooseInbox(list.inboxes, { outbox, asked: inAddress.inbox });
  if (current === undefined || current.processWithinSeconds === null) return { list, check: undefined };
  return { list, check: await getReconciliation({ runtime, inbox: current.name }) };
}
