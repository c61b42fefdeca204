/** Statement: the database clock, ms since 1970. */
export const NOW = "SELECT UNIX_TIMESTAMP(SYSDATE(6)) * 1000";
