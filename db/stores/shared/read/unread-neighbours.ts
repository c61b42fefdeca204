/** Why other messages of an aggregate were not looked for. */
export const UNREAD_NEIGHBOURS = {
  noTime: "The table has no creation time, so messages before and after this one cannot be told.",
  noTimeOfRow: "This row has no creation time, so messages before and after it cannot be told.",
  scan: "They were not looked for: no index finds the messages of an aggregate, and the table is large.",
  part: "Only a part of the table was read, so there may be more.",
} as const;
