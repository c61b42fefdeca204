import { redirect } from "next/navigation";

/** An address that people guess; it leads to the tab of Messages. */
export default async function Page({ searchParams }: { searchParams: Promise<{ outbox?: string | string[] }> }) {
  const { outbox } = await searchParams;
  const params = new URLSearchParams({ ...(typeof outbox === "string" ? { outbox } : {}), state: "dead" });
  redirect(`/messages?${params}`);
}
