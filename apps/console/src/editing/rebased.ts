/** Returns the fields of a request that differ from an earlier one. */
export function changeBetween<Request extends object>(before: Request, after: Request): Partial<Request> {
  const changed = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Request]),
  );
  return Object.fromEntries(changed) as Partial<Request>;
}

/** Returns a form with the values that differ from an earlier one, and a later one's for the others. */
export function rebased<Form extends object>(form: Form, before: Form, later: Form): Form {
  const edited = Object.entries(form).filter(([key, value]) => value !== before[key as keyof Form]);
  return { ...later, ...Object.fromEntries(edited) };
}
