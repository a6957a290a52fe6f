/** Records the statements that are sent to the database. */
export interface SentStatements {
  readonly onStatement: (text: string) => void;
  /** Returns the statements since the last call, in order. */
  since(): readonly string[];
}

export function sentStatements(): SentStatements {
  let sent: string[] = [];
  return {
    onStatement: (text) => void sent.push(text),
    since: () => {
      const all = sent;
      sent = [];
      return all;
    },
  };
}
