import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import { service } from '../shell/service.ts';
import { Form, TextField } from '../ui/fields.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';

/** Exchanges a key for a session. The page does not keep the key. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  // Clears what an earlier key could see.
  useEffect(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [queries]);
  const signIn = useChange(async () => service.session.begin(key.trim()), {
    affects: SESSION_KEY,
    onSuccess: () => setKey(''),
  });
  return (
    <main className="sign-in">
      <h1>Plugin console</h1>
      {reason !== null && !signIn.isError && (
        <p role="status">{reason} Sign in to continue where you left off.</p>
      )}
      <Form className="fields" onSubmit={() => signIn.mutate()}>
        <TextField
          label="API key"
          type="password"
          value={key}
          onChange={setKey}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <button type="submit" className="primary" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </button>
      </Form>
      <ErrorNote error={signIn.error} />
      <p className="hint">
        The service prints a key when it first starts. An operator can issue another one:
      </p>
      <Command text="npm run cli -- key create --label console --scope '*'" />
    </main>
  );
}
