import Link from "next/link";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";

export default function NotFound() {
  return (
    <main style={{ paddingTop: "18vh" }}>
      <EmptyState
        title="Page not found."
        action={
          <Link className="link" href="/">
            Go to the overview
          </Link>
        }
      >
        The address may be mistyped, or from another version of the console.
      </EmptyState>
    </main>
  );
}
