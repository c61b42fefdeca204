/** Burned attempts of a message that were not its fault. */
export interface Undo {
  id: string;
  attempts: number;
}
