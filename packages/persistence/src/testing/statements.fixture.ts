/** The statements that were sent to the database, in order. */
export interface SentStatements {
  readonly onStatement: (text: string) => void;
  /** The statements since the last call. */
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
