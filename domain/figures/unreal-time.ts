/** The year 1, 1970: no outbox is as old, so a program wrote it for no time. @param ms since 1970 */
export const isUnreal = (ms: number): boolean => ms < Date.UTC(2001, 0);
