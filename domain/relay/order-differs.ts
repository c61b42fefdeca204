/** Begins the last error of a relay that waits because the owner of the outbox has another `relay.ordering`. */
export const ORDER_DIFFERS = "The relay that owns the outbox has another relay.ordering";
