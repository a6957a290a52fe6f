/** A line and a column of a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Says why a text is no document, and where. */
export class MisreadText extends Error {
  override readonly name = 'MisreadText';
  readonly place: Place;

  constructor(reason: string, place: Place) {
    super(reason);
    this.place = place;
  }
}
