import type { Metadata } from "next";
import { GroupPage } from "#components/failures/group-page.tsx";

export const metadata: Metadata = { title: "Failure group" };

export default async function Page({ params }: { params: Promise<{ fingerprint: string }> }) {
  const { fingerprint } = await params;
  return <GroupPage key={fingerprint} fingerprint={fingerprint} />;
}
