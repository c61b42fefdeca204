/** A position in the write-ahead log as a number; as texts, `2/0` and `10/0` would sort the wrong way round. */
export type Lsn = bigint;

export function parseLsn(text: string): Lsn {
  const [high, low] = text.split("/");
  if (high === undefined || low === undefined) throw new Error(`${text} is no position in the log.`);
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

export function formatLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`;
}
