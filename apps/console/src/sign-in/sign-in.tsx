import { useQueryClient } from '@tanstack/react-query';
import { LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SESSION_KEY } from '../session/session.ts';
import icon from '../shell/icon.svg';
import { service, SERVICE_URL } from '../shell/service.ts';
import { Form, TextField } from '../ui/fields.tsx';
import { useChange } from '../ui/queries.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { Command } from '../ui/texts.tsx';
import { signInMethods, startOfSignIn } from './sign-in-methods.ts';

const focus = (input: HTMLInputElement | null): void => input?.focus();

/** Leads to the identity provider, or exchanges a key for a session. The page does not keep the key. */
export function SignIn({ reason }: { readonly reason: string | null }) {
  const queries = useQueryClient();
  const { hasKeys, provider } = signInMethods();
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
        {provider !== null && (
          <a className="button primary" href={startOfSignIn(SERVICE_URL, window.location)}>
            <LogIn />
            Sign in with {provider}
          </a>
        )}
        {hasKeys && (
          <Form className="fields" onSubmit={() => signIn.mutate()}>
            <TextField
              ref={provider === null ? focus : undefined}
              label={provider === null ? 'API key' : 'Or with an API key'}
              type="password"
              value={key}
              onChange={setKey}
              autoComplete="off"
              spellCheck={false}
              required
            />
            <button type="submit" className={provider === null ? 'primary' : ''} disabled={signIn.isPending}>
              {signIn.isPending ? 'Signing in…' : 'Sign in'}
            </button>
          </Form>
        )}
        <ErrorNote error={signIn.error} />
      </section>
      {provider === null && (
        <section>
          <p className="hint">
            No key? Ask the operator of the service, who issues one with the rights that you need. This
            command issues one that can change the plugins of a project:
          </p>
          <Command text='npm run --silent cli -- key create --label "Your name" --scope plugin:write --project 1' />
        </section>
      )}
    </main>
  );
}
