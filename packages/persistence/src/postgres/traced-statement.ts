import { activeSpan, asStep } from '@plugin-config/tracing';

const FIRST_WORD = /[^\s;]+/;

/**
 * The same work, in a span if it is part of a trace. The span has the name of the statement, or the first word of its text,
 * and never more of its text or its values.
 */
export function tracedStatement<T>(nameOrText: string, work: () => Promise<T>): () => Promise<T> {
  if (activeSpan() === null) return work;
  const [name = ''] = FIRST_WORD.exec(nameOrText) ?? [];
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
  return asStep({ name, kind: 'client', attributes }, work);
}
