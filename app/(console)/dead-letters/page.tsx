import { redirect } from "next/navigation";
import { addressParam, type SearchParams } from "../address.ts";

/** An address that people guess; it leads to the tab of Messages. */
export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const outbox = await addressParam(searchParams, "outbox");
  const params = new URLSearchParams({ ...(outbox === undefined ? {} : { outbox }), state: "dead" });
  redirect(`/messages?${params}`);
}
