/**
 * The weight of each element of a header such as `Accept`, which `form` matches with the groups `name` and `weight`. Names are in
 * lower case; elements of another form are left out.
 */
export function weightsIn(header: string, form: RegExp): Map<string, number> {
  const weights = new Map<string, number>();
  for (const element of header.split(',')) {
    const { name, weight = '1' } = form.exec(element)?.groups ?? {};
    if (name !== undefined) weights.set(name.toLowerCase(), Number(weight));
  }
  return weights;
}
