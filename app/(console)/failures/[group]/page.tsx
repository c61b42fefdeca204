import type { Metadata } from "next";
import { GroupPage } from "#components/failures/group-page.tsx";

export const metadata: Metadata = { title: "Failure group" };

export default async function Page({ params }: { params: Promise<{ group: string }> }) {
  const segment = decode((await params).group);
  return <GroupPage key={segment} segment={segment} />;
}

/** A hand-typed address may contain a stray per cent sign; the segment then is the group, undecoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
