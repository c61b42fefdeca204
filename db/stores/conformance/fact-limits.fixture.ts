/** Limits with which tests gather facts: the least delay counts. */
export const FACT_LIMITS = {
  overdueSeconds: 30,
  claimGraceSeconds: 0,
  lockHeldSeconds: 0,
  oldTransactionSeconds: 0,
  scheduledFarSeconds: 60,
  clockSkewSeconds: 5,
  relay: null,
};
