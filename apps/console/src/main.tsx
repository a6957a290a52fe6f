// First, so the stylesheets of screens can override them.
import './design/tokens.css';
import './design/elements.css';
import './design/components.css';
import './shell/shell.css';
import { PluginConfigError } from '@plugin-config/client';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { SessionGate } from './session/session-gate.tsx';
import { SESSION_KEY } from './session/session.ts';
import { Frame } from './shell/frame.tsx';
import { Screens } from './shell/screens.tsx';
import { CONSOLE_PATH } from './shell/service.ts';
import { applyPreferences } from './shell/preferences.ts';
import { Notices } from './ui/notices.tsx';

function onError(error: Error): void {
  if (error instanceof PluginConfigError && error.type === 'authentication_error') {
    void queries.invalidateQueries({ queryKey: SESSION_KEY });
  }
}

/** The cache of everything read from the service. Retries are off because the client does them. */
const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: false, staleTime: 10_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});

applyPreferences();
const root = document.querySelector('#console');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <Router base={CONSOLE_PATH}>
          <SessionGate>
            <Frame>
              <Screens />
            </Frame>
          </SessionGate>
        </Router>
      </QueryClientProvider>
      <Notices />
    </StrictMode>,
  );
}
