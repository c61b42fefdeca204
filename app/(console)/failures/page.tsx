import type { Metadata } from "next";
import { FailuresPage } from "#components/failures/failures-page.tsx";

export const metadata: Metadata = { title: "Failures" };

export default function Page() {
  return <FailuresPage />;
}
