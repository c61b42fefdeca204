import type { Metadata } from "next";
import { GroupPage } from "#components/failures/group-page.tsx";
import { decodeSegment } from "../../address.ts";

export const metadata: Metadata = { title: "Failure group" };

export default async function Page({ params }: { params: Promise<{ group: string }> }) {
  const segment = decodeSegment((await params).group);
  return <GroupPage key={segment} segment={segment} />;
}
