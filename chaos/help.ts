import { CHANGE_OVER_HELP } from "./change-over/main.ts";
import { DEFAULTS, DEFAULTS_OVER, SINK_KINDS } from "./options.ts";
import { REPAIR_HELP } from "./repair/main.ts";
import { SOAK_HELP } from "./soak/options.ts";
import { STORE_KINDS } from "./stores/store-kinds.ts";

export const HELP = `npm run chaos: breaks the relay for a while, and then judges what arrived

  --store NAME         ${STORE_KINDS.join(", ")} (${DEFAULTS.store})
  --sink NAME          ${SINK_KINDS.join(", ")} (${DEFAULTS.sink})
  --source NAME        polling or cdc (${DEFAULTS.source})
  --relays N           most relay processes at once (${DEFAULTS.relays})
  --minutes N          how long faults are injected (${DEFAULTS.chaosMs / 60_000})
  --seed S             which faults, and when (chosen at random)
  --runs N             runs, one after another, each with the next seed (1)
  --rate N             messages per second (${DEFAULTS.messagesPerSecond}; dynamodb ${DEFAULTS_OVER.dynamodb?.messagesPerSecond})
  --aggregates N       number of aggregates (${DEFAULTS.aggregates})
  --dead-in-table N    dead rows that stay in the table (as the seed decides)
  --lease N            lease in ms (${DEFAULTS.leaseMs}; dynamodb ${DEFAULTS_OVER.dynamodb?.leaseMs})
  --schedule FILE      the faults of this file instead of the seed's
  --shrink N           after a failure, up to N further runs to find a shorter schedule that fails (0)

${REPAIR_HELP}

${SOAK_HELP}

${CHANGE_OVER_HELP}`;
