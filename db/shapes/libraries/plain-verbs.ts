import type { VerbRules } from "../../stores/port/table-rules.ts";

/** For a table whose rows are either sent or still to be sent: its library tries each until it succeeds. */
export function plainVerbs(library: string): Pick<VerbRules<string, string>, "retry" | "dead-letter"> {
  return {
    retry: {
      refuse: `${capitalised(library)} tries every row again by itself until it is sent, so there is nothing to reset.`,
    },
    "dead-letter": movedOut(library),
  };
}

export function movedOut(library: string) {
  return { moveOut: true, does: `Moved to the dead letters, where ${library} does not see it.` } as const;
}

function capitalised(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
