import { redirect } from "next/navigation";

/** A name that people guess; the list itself is a tab of Messages. */
export default async function Page({ searchParams }: { searchParams: Promise<{ outbox?: string | string[] }> }) {
  const { outbox } = await searchParams;
  const params = new URLSearchParams({ ...(typeof outbox === "string" ? { outbox } : {}), state: "archived" });
  redirect(`/messages?${params}`);
}
