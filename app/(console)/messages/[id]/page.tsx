import type { Metadata } from "next";
import { MessagePage } from "#components/message/message-page.tsx";

export const metadata: Metadata = { title: "Message" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <MessagePage id={decode((await params).id)} />;
}

/** A hand-typed address may contain a stray per cent sign; the segment then is the id, undecoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
