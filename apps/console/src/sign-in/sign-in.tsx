import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import { service } from '../shell/service.ts';
import { Command } from '../ui/command.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { Form, TextField } from '../ui/fields.tsx';
import './sign-in.css';

/** Takes a key once. The browser keeps a session for it, and the page forgets the key. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  // What an earlier key could see is not for the next one.
  useEffect(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [queries]);
  const signIn = useMutation({
    mutationFn: async () => service.session.begin(key.trim()),
    onSuccess: async () => {
      setKey('');
      await queries.invalidateQueries({ queryKey: SESSION_KEY });
    },
  });
  return (
    <main className="sign-in">
      <h1>Plugin console</h1>
      {reason !== null && !signIn.isError && <p role="status">{reason} Sign in to go on where you were.</p>}
      <Form onSubmit={() => signIn.mutate()}>
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
          {signIn.isPending ? 'Signing in …' : 'Sign in'}
        </button>
      </Form>
      {signIn.isError && <ErrorNote error={signIn.error} />}
      <p className="hint">
        The first start of the service prints a key. An operator issues another one with:
      </p>
      <Command text="npm run cli -- key create --label console --scope '*'" />
    </main>
  );
}
