import { capitalize } from "#domain/format.ts";
import type { VerbRules } from "../../stores/port/table-rules.ts";

/** For a table whose rows are either sent or still to be sent: its library tries each until it succeeds. */
export function plainVerbs(library: string): Pick<VerbRules<string, string>, "retry" | "dead-letter"> {
  return {
    retry: {
      refuse: `${capitalize(library)} tries every row again by itself until it is sent, so there is nothing to reset.`,
    },
    "dead-letter": movedOut(library),
  };
}

export function movedOut(library: string) {
  return { moveOut: true, does: `Moved to the dead letters, where ${library} does not see it.` } as const;
}
