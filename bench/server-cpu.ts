import { readdir, readFile } from "node:fs/promises";

const MICROS_PER_TICK = 10_000;

/** CPU time of a server with all its processes, ended ones included, µs. Linux only; NaN elsewhere. */
export async function cpuMicrosOf(serverPid: number): Promise<number> {
  let ticks = 0;
  for (const name of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    // A process may exit while the list is read; its time is then in its parent's.
    const stat = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const own = Number(fields[11]) + Number(fields[12]);
    if (Number(name) === serverPid) ticks += own + Number(fields[13]) + Number(fields[14]);
    else if (Number(fields[1]) === serverPid) ticks += own;
  }
  return ticks === 0 ? Number.NaN : ticks * MICROS_PER_TICK;
}
