import type { Metadata } from "next";
import { MessagePage } from "#components/message/message-page.tsx";

export const metadata: Metadata = { title: "Message" };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <MessagePage id={decode((await params).id)} />;
}

/** An address typed by hand may hold a stray per cent sign: then the text is the id as it stands. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
