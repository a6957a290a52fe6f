/** The camel-case form of a snake-case name. */
export type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Converts a snake-case name: `created_at` becomes `createdAt`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** An object with camel-case names. `Odd` has the names that differ otherwise. */
export type CamelCased<T, Odd = object> = {
  [Name in keyof T as Name extends keyof Odd ? Odd[Name] & string : CamelCase<Name>]: T[Name];
};

/** Returns a function that renames the fields of a request body to those of the domain. `odd` has the names that differ otherwise. */
export function camelCased<const Odd extends Readonly<Record<string, string>>>(odd: Odd) {
  return <T extends object>(body: T): CamelCased<T, Odd> =>
    Object.fromEntries(
      Object.entries(body).map(([name, value]) => [odd[name] ?? camelCase(name), value]),
    ) as CamelCased<T, Odd>;
}
