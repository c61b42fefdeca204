/** Operations of one store that a worker takes: each renews its lease, which is a commit. */
export const MOST_TAKEN = 64;
