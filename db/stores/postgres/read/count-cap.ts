/** Messages are counted exactly up to here, where an index holds just them: about 20 ms. */
export const COUNT_CAP = 50_000;
