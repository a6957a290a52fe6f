import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import icon from '../shell/icon.svg';
import { service } from '../shell/service.ts';
import { Form, TextField } from '../ui/fields.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';

const focus = (input: HTMLInputElement | null): void => input?.focus();

/** Exchanges a key for a session. The page does not keep the key. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  const queries = useQueryClient();
  const [key, setKey] = useState('');
  // Clears what an earlier key could see.
  useEffect(() => {
    queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  }, [queries]);
  const signIn = useChange(async () => service.session.begin({ key: key.trim() }), {
    affects: SESSION_KEY,
    onSuccess: () => setKey(''),
  });
  return (
    <main className="sign-in stack">
      <title>Sign in · Plugin console</title>
      <p className="brand">
        <img src={icon} alt="" width="28" height="28" />
        Plugin console
      </p>
      <section className="panel stack">
        <h1>Sign in</h1>
        {reason !== null && !signIn.isError && (
          <p role="status">{reason} Sign in to continue where you left off.</p>
        )}
        <Form className="fields" onSubmit={() => signIn.mutate()}>
          <TextField
            ref={focus}
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
      </section>
      <section>
        <p className="hint">
          No key? Ask the operator of the service, who issues one with the rights that you need. With this
          one, you can change the plugins of a project:
        </p>
        <Command text='npm run --silent cli -- key create --label "Your name" --scope plugin:write --project 1' />
      </section>
    </main>
  );
}
