import { parseArgs } from "node:util";
import { CONTENDERS, type ContenderName } from "./contenders/contender.ts";
import { startLoad } from "./load.ts";
import { makeTable } from "./outbox-table.ts";
import { measureDrain } from "./scenarios/drain.ts";
import { startServer } from "./server.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string" },
    contenders: { type: "string", default: "limit,relay" },
  },
});
const server = await startServer();
const load = await startLoad();
try {
  for (const kind of ["noop", "http"] as const) {
    if (values.only && values.only !== kind) continue;
    const figures = await measureDrain({
      server,
      target: { kind, url: kind === "noop" ? "" : load.sinkUrl },
      rounds: Number(values.rounds),
      contenders: values.contenders.split(",").map((name) => ({ name: name as ContenderName })),
      prepare: async () => {
        await makeTable(server.client, Number(values.rows));
        return Number(values.rows);
      },
    });
    for (const one of figures)
      console.log(
        kind,
        CONTENDERS[one.contender],
        Math.round(one.rowsPerSecond),
        `relay ${one.relayMicros.toFixed(1)} µs/row, pg ${one.postgresMicros.toFixed(1)} µs/row, left ${one.left}`,
      );
  }
} finally {
  await load.stop();
  await server.stop();
}
