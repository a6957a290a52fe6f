/** Returns a form with the values that differ from an earlier one, and a later one's for the others. */
export function rebased<Form extends object>(form: Form, before: Form, later: Form): Form {
  const edited = Object.entries(form).filter(([key, value]) => value !== before[key as keyof Form]);
  return { ...later, ...Object.fromEntries(edited) };
}
