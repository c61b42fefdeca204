import type { Metadata } from "next";
import { TailPage } from "#components/tail/tail-page.tsx";

export const metadata: Metadata = { title: "Live" };

export default function Page() {
  return <TailPage />;
}
