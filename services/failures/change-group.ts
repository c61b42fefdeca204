import { type GroupAct, type GroupMemory, groupingOf, groupKeyOf } from "#contracts/message/groups.ts";
import type { FailureGroup } from "#contracts/message/messages.ts";
import type { GroupChange, GroupMarkRow } from "#db/records/groups.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { AppError } from "#domain/errors.ts";
import { isLater } from "#domain/message/failure-group.ts";
import { cutText } from "#domain/text/cut-text.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { listFailureGroups } from "../messages/list-failure-groups.ts";
import type { Runtime } from "../runtime.ts";
import { MISSING, toMark } from "./group-marks.ts";

/** Notes of one group. */
const MOST_NOTES = 200;
const MOST_TITLE = 300;
const NO_TIMES = "The table does not record when these messages began to fail, so";

/** `group`: its fingerprint, or `none`. */
interface GroupInput {
  outbox: string;
  group: string;
}

/** Notes and decisions about one failure group, whether or not it has failures now. Throws: not_found, unavailable. */
export async function getGroupMemory(input: GroupInput & { runtime: Runtime }): Promise<GroupMemory> {
  const { runtime } = input;
  const { name } = await runtime.outbox(input.outbox);
  const fingerprint = fingerprintOf(input.group);
  const nothing = { fingerprint, title: null, mark: null, notes: [] };
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard) return { ...nothing, problem: MISSING.noDatabase };
  try {
    const { mark, notes } = await consoleGuard.ask(() => records.group({ outbox: name, fingerprint }));
    const { group, complete } = mark ? await findGroup(runtime, name, fingerprint) : { group: null, complete: true };
    return {
      fingerprint,
      title: mark?.title ?? null,
      mark: mark && toMark(mark, group, complete),
      notes: notes.map(({ author, ...note }) => ({ ...note, by: author })),
      problem: null,
    };
  } catch (error) {
    if (troubleOf(error) === "missing") return { ...nothing, problem: MISSING.notMigrated };
    throw error;
  }
}

/**
 * Changes the records of a group, with an audit row, and returns them. Throws: forbidden, not_found (no failures and no
 * records of the group), conflict (another person owns it), wrong_state, unavailable.
 */
export async function changeGroup(input: GroupInput & { ctx: ServiceContext; act: GroupAct }): Promise<GroupMemory> {
  const { ctx, act } = input;
  requireRole(ctx, "operator");
  const { runtime, actor } = ctx;
  const { name } = await runtime.outbox(input.outbox);
  const { records, consoleGuard } = runtime;
  if (!records || !consoleGuard) throw new AppError("wrong_state", MISSING.noDatabase);
  const key = { outbox: name, fingerprint: fingerprintOf(input.group) };
  const { group } = await findGroup(runtime, name, key.fingerprint);
  await consoleGuard
    .ask(async () => {
      const { mark } = await records.group(key);
      if (!group && !mark)
        throw new AppError(
          "not_found",
          "No message of this outbox fails with this fingerprint, and no notes or decisions are stored for it.",
        );
      const title = group ? titleOf(group) : (mark?.title ?? "");
      const audit = consoleEntry(actor, `group.${act.act}`, {
        outbox: name,
        reason: act.act === "ignore" ? act.reason : null,
        detail: `${title}${detailOf(act)}`,
      });
      const done = await records.changeGroup({ ...key, title }, changeOf(act, group), audit);
      if (!done) throw refusalOf(act, (await records.group(key)).mark);
    })
    .catch((error: unknown) => {
      throw troubleOf(error) === "missing" ? new AppError("wrong_state", MISSING.notMigrated, { cause: error }) : error;
    });
  return getGroupMemory({ runtime, outbox: name, group: input.group });
}

/** As long as the list's filter takes it. */
const LONGEST_FINGERPRINT = 64;

/** Throws: not_found, for a text that cannot be a fingerprint; wrong_state, for a group by code or type. */
function fingerprintOf(group: string): string {
  if (groupingOf(group) !== "text")
    throw new AppError(
      "wrong_state",
      "Notes and decisions belong to a group by error text: group by error text, and act on one of its groups.",
    );
  if (group.length > LONGEST_FINGERPRINT || group.includes("\0"))
    throw new AppError("not_found", "No failure group has this fingerprint.");
  return groupKeyOf(group);
}

async function findGroup(runtime: Runtime, outbox: string, fingerprint: string) {
  const { groups, complete } = await listFailureGroups({ runtime, outbox });
  return { group: groups.find((one) => one.fingerprint === fingerprint) ?? null, complete };
}

/** As the page's title. */
function titleOf({ title, text }: FailureGroup): string {
  return cutText(text === "" ? title : text, MOST_TITLE);
}

function detailOf(act: GroupAct): string {
  if (act.act === "note") return `: ${act.text}`;
  if (act.act === "claim" && act.from !== null) return `: taken over from ${act.from}`;
  if (act.act === "release") return `: of ${act.from}`;
  if (act.act === "ignore") return `: up to ${act.upTo} new messages an hour`;
  return "";
}

/** Throws wrong_state if there is nothing to resolve, or if the failures have no times that could end the decision. */
function changeOf(act: GroupAct, group: FailureGroup | null): GroupChange {
  switch (act.act) {
    case "note":
      return { ...act, most: MOST_NOTES };
    case "resolve": {
      const last = group?.lastSeenAt ?? null;
      if (group === null)
        throw new AppError("wrong_state", "No message fails with this error now: there is nothing to resolve.");
      if (last === null || group.newByHour === null)
        throw new AppError("wrong_state", `${NO_TIMES} the console could not tell that the group comes back.`);
      return { act: "resolve", seen: isLater(act.seen, last) ? last : act.seen };
    }
    case "ignore":
      if (group !== null && group.newByHour === null)
        throw new AppError("wrong_state", `${NO_TIMES} the console could not tell that the rate is exceeded.`);
      return { act: "ignore", upTo: act.upTo, reason: act.reason };
    default:
      return act;
  }
}

function refusalOf(act: GroupAct, mark: GroupMarkRow | null): AppError {
  switch (act.act) {
    case "note":
      return new AppError("wrong_state", `The group has ${MOST_NOTES} notes; no more are kept.`);
    case "claim":
    case "release": {
      const by = mark?.claimedBy ?? null;
      if (by === null) return new AppError("conflict", "Nobody is on this group any more.");
      return new AppError("conflict", `${by} has been on this group since ${clock(mark?.claimedAt ?? null)} UTC.`, {
        details: { by, since: mark?.claimedAt },
      });
    }
    case "reopen":
      return new AppError("wrong_state", "The group is not resolved: somebody has reopened it.");
    default:
      return new AppError("wrong_state", "The group is not ignored any more.");
  }
}

function clock(at: string | null): string {
  return at === null ? "a moment ago" : at.slice(11, 19);
}
