/** Compares two texts in a time that depends on their lengths alone. */
export function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) {
    // Past the end of the other text this is NaN, which counts as 0: the lengths differ anyway.
    difference |= one.charCodeAt(i) ^ other.charCodeAt(i);
  }
  return difference === 0;
}
